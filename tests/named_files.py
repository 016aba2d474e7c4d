"""Every file and folder of the project that documents name exists, and no document has a heading twice: links
would lead to one of them.

    named_files.py DOCUMENT...

Run in the folder of the sources. A name is a path below a folder of the source, in the text or in a link.
Fenced code is not read, as its commands may write the files that they name; nor is what holds a placeholder
(capitals alone, <...>, *). `module/name` without an extension stands for module/name.hpp. Exit code 1 where
one is missing or twice there.
"""

import pathlib
import re
import sys

FOLDERS = sorted(p.name for p in pathlib.Path('.').iterdir() if p.is_dir()
                 and p.name not in ('build', '.git') and not p.name.startswith('build-'))
NAME = re.compile(r'(?<![\w/.-])(?:\.\./)?(' + '|'.join(FOLDERS) + r')(/[\w.+-]*)+(?![\w<*/])')
LINK = re.compile(r'\]\(([^)#:]+)(?:#[^)]*)?\)')


def prose(document):
    return re.sub(r'^```.*?^```', '', document.read_text(encoding='utf-8'), flags=re.DOTALL | re.MULTILINE)


def names(document):
    text = prose(document)
    for match in LINK.finditer(text):
        yield document.parent / match.group(1)
    for match in NAME.finditer(LINK.sub('](link)', text)):
        name = match.group(0).removeprefix('../').rstrip('.')
        if not re.search(r'/[A-Z]+(/|\.|$)', name):
            yield pathlib.Path(name)


def main(documents):
    count, faults = 0, set()
    for document in map(pathlib.Path, documents):
        for name in names(document):
            count += 1
            if not name.exists() and not name.with_name(name.name + '.hpp').exists():
                faults.add(f'{document}: {name} does not exist')
        headings = re.findall(r'^#+ +(.*)', prose(document), flags=re.MULTILINE)
        faults.update(f'{document}: heading {heading!r} stands there twice' for heading in headings
                      if headings.count(heading) > 1)
    print('\n'.join(sorted(faults)))
    print(f'{count} names in {len(documents)} documents, {len(faults)} faults')
    return 1 if faults or count == 0 else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
