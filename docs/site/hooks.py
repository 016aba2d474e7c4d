"""What `scripts/docs` does to the pages besides mkdocs: they read the same on the site as in the sources, and
all of it works from files.

mkdocs calls the functions by their names (https://www.mkdocs.org/dev-guide/plugins/#events). Warnings end a
build with --strict.
"""
import html
import json
import logging
import pathlib
import posixpath
import re

from mkdocs.structure.nav import Link, Section

log = logging.getLogger("mkdocs.plugins.startle")
LINK = re.compile(r"(\]\()((?:\.\./)+[^)\s#]+)(#[^)\s]*)?(\))")
FENCE = re.compile(r"^ *(```+|~~~+)")
NESTED = re.compile(r"^ {2,3}(?=(?:[-*+]|\d+[.)]) +\S)")
ITEM = re.compile(r"^(?:[-*+]|\d+[.)]) +\S")
INTERVAL = re.compile(r"\((-?[\d.]+) to (-?[\d.]+)\)")
SHORT_CODE = re.compile(r"(?<!<pre>)(?<!</span>)<code>([^<\n]{1,34})</code>")
sources = set()  # files outside docs/ that pages link to
API = "api/index.html"


def on_config(config):
    """The entry `research/*.md` of nav becomes the notes of that folder, the latest first."""
    folder = pathlib.Path(config["docs_dir"])

    def entries(items):
        for item in items:
            if isinstance(item, str) and "*" in item:
                found = (path.relative_to(folder).as_posix() for path in folder.glob(item))
                yield from sorted(found, reverse=True)
            elif isinstance(item, dict):
                yield {title: list(entries(inner)) if isinstance(inner, list) else inner
                       for title, inner in item.items()}
            else:
                yield item

    config["nav"] = list(entries(config["nav"]))
    sources.clear()
    return config


def on_files(files, config):
    for file in list(files):
        if file.src_path.endswith(".py"):
            files.remove(file)
    return files


def on_nav(nav, config, files):
    """Every page of docs/ is in nav (that every page of nav exists, mkdocs checks). The C++ API, which
    Doxygen writes, joins the reference."""
    known = {page.file.src_path for page in nav.pages}
    for file in files.documentation_pages():
        if file.src_path not in known:
            log.warning("docs/%s is not in nav of mkdocs.yml", file.src_path)
    nav.homepage = next((page for page in nav.pages if page.file.src_path == "index.md"), None)
    for section in nav.items:
        if isinstance(section, Section) and section.title == "Reference":
            link = Link("C++ API", API)
            link.parent = section
            section.children.insert(3, link)
    return nav


def on_page_markdown(markdown, page, config, files):
    """Python-Markdown wants an empty line before a list and around a comment, and four blanks before an item
    in an item, which GitHub's does not. Links out of docs/ lead to a copy of the file."""
    root = pathlib.Path(config["docs_dir"]).parent

    def to_source(match):
        folder = posixpath.join("docs", posixpath.dirname(page.file.src_path))
        path = posixpath.normpath(posixpath.join(folder, match.group(2)))
        if path.startswith("docs/"):
            return match.group(0)
        if not (root / path).is_file():
            log.warning("docs/%s: the link to %s leads to no file of the sources",
                        page.file.src_path, match.group(2))
            return match.group(0)
        sources.add(path)
        return f"](source:{path}.html{match.group(3) or ''})"

    lines, fence, before = [], None, ""
    for line in markdown.split("\n"):
        mark = FENCE.match(line)
        if fence:
            if mark and mark.group(1).startswith(fence):
                fence = None
        elif mark:
            fence = mark.group(1)
        else:
            line = NESTED.sub("    ", LINK.sub(to_source, line))
            comment = line.startswith("<!--") or before.rstrip().endswith("-->")
            first = ITEM.match(line) and not ITEM.match(before) and not before.startswith((" ", "\t"))
            if before.strip() and (comment or first):
                lines.append("")
        lines.append(line)
        before = line
    return "\n".join(lines)


def on_page_content(content, page, config, files):
    """An interval keeps to one line, and so does code as short as an option's name, which its hyphens would
    break."""
    up = "../" * page.file.src_path.count("/")
    content = INTERVAL.sub(r"(\1&nbsp;to&nbsp;\2)", content)
    content = SHORT_CODE.sub(r'<code class="short">\1</code>', content)
    return content.replace('href="source:', f'href="{up}source/')


def on_post_page(output, page, config):
    """Before the theme's own script: what lets its search work from files."""
    up = "../" * page.file.src_path.count("/")
    script = '<script id="__config"'
    return output.replace(script, f'<script src="{up}site/search_from_files.js"></script>{script}')


SOURCE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>{name}</title>
<style>:root {{ color-scheme: light dark }} body {{ margin: 1rem; font: 0.85rem/1.5 monospace }}
h1 {{ font-size: 1rem; overflow-wrap: anywhere }} pre {{ overflow-x: auto }}</style></head>
<body><h1>{name}</h1><pre>{text}</pre></body></html>
"""


def on_post_build(config):
    site, root = pathlib.Path(config["site_dir"]), pathlib.Path(config["docs_dir"]).parent
    found = site / "search/search_index.json"
    index = json.loads(found.read_text(encoding="utf-8"))
    # Research notes are dated and may be out of date: the search leaves them out.
    index["docs"] = [entry for entry in index["docs"] if not entry["location"].startswith("research/")]
    text = json.dumps(index, ensure_ascii=False)
    found.write_text(text, encoding="utf-8")
    (site / "search/search_index.js").write_text(f"var __index = {text};\n", encoding="utf-8")
    for path in sorted(sources):
        page = site / "source" / (path + ".html")
        page.parent.mkdir(parents=True, exist_ok=True)
        text = (root / path).read_text(encoding="utf-8")
        page.write_text(SOURCE.format(name=html.escape(path), text=html.escape(text)), encoding="utf-8")
    for of_servers in ("404.html", "sitemap.xml", "sitemap.xml.gz"):
        (site / of_servers).unlink(missing_ok=True)
