"""SVG elements as text, for the programs of this folder that draw."""

import re
from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr

FONT = 'DejaVu Sans, Verdana, Helvetica, Arial, sans-serif'
INK, GREY, PALE = '#1A1A1A', '#5A5A5A', '#D9D9D9'
# Okabe and Ito, Color universal design, 2008.
OKABE_ITO = {'black': '#000000', 'orange': '#E69F00', 'sky': '#56B4E9', 'green': '#009E73',
             'yellow': '#F0E442', 'blue': '#0072B2', 'vermilion': '#D55E00', 'purple': '#CC79A7'}


def number(value):
    return f'{value:.2f}'.rstrip('0').rstrip('.')


def element(name, content=None, **attributes):
    """`content` is SVG; names of attributes have _ for -; those that are None are left out."""
    text = ''
    for key, value in attributes.items():
        if value is not None:
            value = number(value) if isinstance(value, float) else str(value)
            text += f' {key.strip("_").replace("_", "-")}={quoteattr(value)}'
    return f'<{name}{text}/>' if content is None else f'<{name}{text}>{content}</{name}>'


def text(x, y, words, size=13, anchor='start', fill=INK, bold=False, **attributes):
    return element('text', escape(words), x=float(x), y=float(y), font_size=size, text_anchor=anchor,
                   fill=fill, font_weight='bold' if bold else None, **attributes)


def width_of(words, size):
    """An upper bound for these fonts, pixels."""
    return 0.64 * size * len(words)


def document(width, height, title, parts):
    """On white: readable on light and dark pages alike."""
    background = element('rect', width=width, height=height, fill='#FFFFFF')
    width, height = number(width), number(height)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" font-family="{FONT}" role="img">\n'
            f'<title>{escape(title)}</title>\n' + '\n'.join([background, *parts]) + '\n</svg>\n')


class Scene:
    """A picture that startle explain --svg wrote, for use in another. Lengths in its pixels, y downward."""

    NAMESPACE = 'http://www.w3.org/2000/svg'
    PIXELS_PER_UNIT = 44

    def __init__(self, svg, drop=()):
        """`drop`: what to leave out: marks (impacted, detectable, target, best) and paths (lower, upper;
        faint: those to targets that are not best)."""
        ElementTree.register_namespace('', self.NAMESPACE)
        self.root = ElementTree.fromstring(svg)
        self.places = {}  # of the objects
        before = None
        for child in list(self.root):
            kind = child.get('data-mark') or child.get('data-path')
            if (number_of := child.get('data-object')) is not None:
                place = re.match(r'translate\(([-.\d]+) ([-.\d]+)\)', child.get('transform'))
                self.places[int(number_of)] = tuple(float(v) for v in place.groups())
            faint = child.get('data-path') and child.get('opacity')
            if child.tag.endswith('title') or kind in drop or faint and 'faint' in drop:
                self.root.remove(child)
                if child.get('data-path') and before is not None and before.get('stroke') == '#FFFFFF':
                    self.root.remove(before)  # the path's casing
            before = child
        self.left, self.top, self.width, self.height = (float(v) for v in self.root.get('viewBox').split())

    @property
    def ground(self):
        """Lower border of the picture."""
        return self.top + self.height

    def placed(self, x, y, width, height, box):
        """As an element of another picture; `box`: left, top, width and height of the part that is seen."""
        inner = ''.join(ElementTree.tostring(child, encoding='unicode') for child in self.root)
        inner = inner.replace(f' xmlns="{self.NAMESPACE}"', '')
        return element('svg', inner, x=float(x), y=float(y), width=float(width), height=float(height),
                       viewBox=' '.join(number(v) for v in box), preserveAspectRatio='xMidYMid slice')
