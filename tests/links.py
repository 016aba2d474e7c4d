"""Every link of a built site leads somewhere, and nothing on it comes from another host.

    links.py SITE

Reads each HTML page and style sheet below the folder SITE. A link to a page needs that page, and its
#fragment an element of that id there. Scripts, styles, pictures and fonts of pages lie in SITE. Style sheets
are read for other hosts alone: Doxygen's names pictures that it does not write. Links to other hosts are
counted and not followed. Exit code 1 where one is broken.
"""
import html.parser
import pathlib
import re
import sys
import urllib.parse

IN_STYLES = re.compile(r"""(?:url\(\s*|@import\s+)["']?([^"')\s]+)""")
RESOURCES = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("video", "src"),
             ("audio", "src"), ("object", "data"), ("embed", "src"), ("link", "href")}
LINKS = {("a", "href"), ("area", "href")}


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.resources, self.styles = set(), [], [], False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.styles = tag == "style"
        for name, value in attributes:
            if value is None:
                continue
            if name == "id" or (tag, name) == ("a", "name"):
                self.ids.add(value)
            elif (tag, name) in RESOURCES:
                self.resources.append(value)
            elif (tag, name) in LINKS:
                self.links.append(value)
            elif name == "style":
                self.resources += IN_STYLES.findall(value)

    def handle_data(self, data):
        if self.styles:
            self.resources += IN_STYLES.findall(data)


def main(folder):
    site = pathlib.Path(folder).resolve()
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    count, elsewhere, faults = 0, 0, set()

    def check(path, target, is_resource):
        nonlocal count, elsewhere
        url = urllib.parse.urlsplit(target)
        if url.scheme in ("data", "mailto", "javascript"):
            return None
        if url.scheme or url.netloc:
            elsewhere += 1
            return "comes from another host" if is_resource else None
        count += 1
        if url.path.startswith("/"):
            return "does not work from files"
        found = (path.parent / urllib.parse.unquote(url.path)).resolve() if url.path else path
        if not found.is_file():
            return "leads to no file"
        fragment = urllib.parse.unquote(url.fragment)
        if fragment and found in pages and fragment not in pages[found].ids:
            return "leads to no such place in the page"
        return None

    def note(path, target, is_resource):
        fault = check(path, target, is_resource)
        if fault:
            faults.add(f"{path.relative_to(site)}: {target} {fault}")

    for path, page in pages.items():
        for target in page.links:
            note(path, target, False)
        for target in page.resources:
            note(path, target, True)
    for path in sorted(site.rglob("*.css")):
        for target in IN_STYLES.findall(path.read_text(encoding="utf-8")):
            if re.match(r"(\w+:)?//", target):
                note(path, target, True)
    print("\n".join(sorted(faults)))
    print(f"{count} links in {len(pages)} pages, {elsewhere} to other hosts, {len(faults)} faults")
    return 1 if faults or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
