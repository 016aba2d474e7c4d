"""One name, one definition: fails where two files define the same type, function or variable.

Where they meet in one program the linker keeps one of the two without a word, and whoever meant the other
crashes ("one definition rule", C++20 [basic.def.odr]). Compilers do not see it, as each looks at one file.
Names that no other file sees do not count: those in an unnamed namespace, and static ones.

    one_definition.py FOLDER... [--each FOLDER...]

The C++ files below the first folders may meet in one program; those of each of the other folders meet them,
but not one another. Exit code 1 where a name has two definitions that meet.
"""

import collections
import pathlib
import re
import sys

TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/'                                        # comments
    r'|R"([^()\s\\]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''  # literals
    r'|^[ \t]*\#(?:[^\n]*\\\n)*[^\n]*'                           # directives
    r'|[A-Za-z_]\w*|\d(?:[\w.\']|[eE][+-])*|::|->|<=>|==|!=|&&|\|\||<<|[^\s\w]',
    re.DOTALL | re.MULTILINE)
NO_TOKEN = re.compile(r'//|/\*|[ \t]*#')
# One a program, macros of test libraries, and what follows a function that is a try block.
NO_NAMES = {'main', 'TEST_CASE', 'TEMPLATE_TEST_CASE', 'SCENARIO', 'BENCHMARK', 'catch'}
IDENTIFIER = re.compile(r'[A-Za-z_]\w*$')


def tokens_of(text):
    for match in TOKEN.finditer(text):
        token = match.group(0)
        if not NO_TOKEN.match(token):
            yield '""' if token[0] in '"\'' or token.startswith('R"') else token


def without_template_head(head):
    """Names of template parameters become numbers, as what they are called does not matter."""
    while head and head[0] == 'template':
        depth, i, names = 0, 1, []
        while i < len(head):
            depth += {'<': 1, '>': -1}.get(head[i], 0)
            if depth == 1 and i + 1 < len(head) and head[i + 1] in (',', '>',
                                                                    '=') and IDENTIFIER.match(head[i]):
                names.append(head[i])
            i += 1
            if depth == 0:
                break
        head = [f'${names.index(t)}' if t in names else t for t in head[i:]]
    return head


def parameter_types(tokens):
    """Of a parameter list, without names and default values."""
    parameters, depth, current = [], 0, []
    for token in tokens + [',']:
        if token == ',' and depth == 0:
            parameters.append(current)
            current = []
            continue
        depth += {'(': 1, '<': 1, '{': 1, ')': -1, '>': -1, '}': -1}.get(token, 0)
        current.append(token)
    types = []
    for parameter in parameters:
        if '=' in parameter:
            parameter = parameter[:parameter.index('=')]
        before = parameter[-2] if len(parameter) > 1 else '::'
        if (parameter and IDENTIFIER.match(parameter[-1]) and before not in ('::', 'const', 'unsigned') and
                parameter[-1] not in ('int', 'long', 'char', 'double', 'float', 'bool')):
            parameter = parameter[:-1]
        types.append(' '.join(parameter))
    return ', '.join(types)


def defined_by(head, ends_with_brace):
    """What the tokens before a brace or a semicolon define, as ('struct', 'Level'); None where it is nothing
    that other files see."""
    head = without_template_head(head)
    if not head or 'static' in head or head[0] in ('using', 'typedef', 'friend', 'extern', 'static_assert',
                                                   'namespace'):
        return None
    if head[0] in ('struct', 'class', 'union', 'enum'):
        if not ends_with_brace:
            return None
        words = [t for t in head[1:] if t != 'class' and t != 'struct']
        name = []
        for word in words:
            if word in (':', 'final') and name:
                break
            name.append(word)
        return ('type', ' '.join(name)) if name else None
    if '(' in head and ('=' not in head[:head.index('(')] or 'operator' in head):
        if not ends_with_brace:
            return None
        start = head.index('(')
        if head[start - 1] == 'operator':  # operator()
            start = head.index('(', start + 1)
        depth, end = 0, start
        while end < len(head):
            depth += {'(': 1, ')': -1}.get(head[end], 0)
            if depth == 0:
                break
            end += 1
        first = start - 1
        if 'operator' in head[:start]:
            first = len(head[:start]) - 1 - head[:start][::-1].index('operator')
        while first >= 2 and head[first - 1] == '::':
            first -= 2
        return ('function', ''.join(head[first:start]) + '(' + parameter_types(head[start + 1:end]) + ')')
    if 'inline' not in head and ('const' in head or 'constexpr' in head):  # seen in its own file alone
        return None
    before = head[:head.index('=')] if '=' in head else head
    names = [t for t in before if IDENTIFIER.match(t)]
    return ('variable', names[-1]) if len(names) > 1 else None


def definitions(text):
    """Those of a file: (kind, qualified name)."""
    scopes, head, skipped, parentheses = [], [], 0, 0
    for token in tokens_of(text):
        if skipped:  # inside a body
            skipped += {'{': 1, '}': -1}.get(token, 0)
            continue
        parentheses += {'(': 1, ')': -1}.get(token, 0)
        if parentheses:
            head.append(token)
        elif token == '{':
            if head and head[0] in ('namespace', 'inline') and 'namespace' in head[:2]:
                scopes.append('::'.join(t for t in head if IDENTIFIER.match(t)
                                        and t not in ('namespace', 'inline')) or None)
                head = []
            elif head[:1] == ['extern'] and len(head) == 2:
                scopes.append('')
                head = []
            else:
                found = defined_by(head, True)
                if found and None not in scopes:
                    yield found[0], '::'.join([s for s in scopes if s] + [found[1]])
                # What follows a body that is no end of a statement (struct X {...} x;) is passed over up to
                # the semicolon.
                head = ['static'] if head[:1] and head[0] in ('struct', 'class', 'union',
                                                              'enum') or '=' in head[:head.index('(')
                                                                                     if '(' in head
                                                                                     else None] else []
                skipped = 1
        elif token == '}':
            if scopes:
                scopes.pop()
            head = []
        elif token == ';':
            found = defined_by(head, False)
            if found and None not in scopes:
                yield found[0], '::'.join([s for s in scopes if s] + [found[1]])
            head = []
        else:
            head.append(token)


def files_below(folders):
    return [path for folder in folders for path in sorted(pathlib.Path(folder).rglob('*'))
            if path.suffix in ('.cpp', '.hpp')]


def places_of(files):
    places = collections.defaultdict(set)
    for path in files:
        for kind, name in definitions(path.read_text(encoding='utf-8')):
            if name.split('::')[-1].split('(')[0] not in NO_NAMES:
                places[kind, name].add(str(path))
    return places


def main(arguments):
    split = arguments.index('--each') if '--each' in arguments else len(arguments)
    everywhere = files_below(arguments[:split])
    common = places_of(everywhere)
    faults, count = set(), len(everywhere)
    for alone in [[]] + [[folder] for folder in arguments[split + 1:]]:
        files = files_below(alone)
        count += len(files)
        places = places_of(files) if alone else common
        for key, where in places.items():
            where = where | common.get(key, set())
            if len(where) > 1:
                faults.add(f'{key[0]} {key[1]} has {len(where)} definitions: ' + ', '.join(sorted(where)))
    print('\n'.join(sorted(faults)))
    print(f'{count} files, {len(faults)} names with more than one definition')
    return 1 if faults or count == 0 else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
