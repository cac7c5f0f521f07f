"""Tables of pages of a PDF, as JSON: peer_tables.py pymupdf|pdfplumber FILE PAGES"""
import json
import sys

peer, path, pages = sys.argv[1], sys.argv[2], [int(n) for n in sys.argv[3].split(",")]


def plain(table):
    return [[cell or "" for cell in row] for row in table]


if peer == "pymupdf":
    import pymupdf

    def tables(page):
        found = page.find_tables() or page.find_tables(strategy="text")
        return [plain(table.extract()) for table in found.tables] or [
            plain(table.extract()) for table in page.find_tables(strategy="text").tables
        ]

    with pymupdf.open(path) as document:
        read = [tables(document[n - 1]) for n in pages]
else:
    import pdfplumber

    def tables(page):
        return [plain(table) for table in page.extract_tables()] or [
            plain(table)
            for table in page.extract_tables({"vertical_strategy": "text", "horizontal_strategy": "text"})
        ]

    with pdfplumber.open(path) as document:
        read = [tables(document.pages[n - 1]) for n in pages]
# Beside warnings, which go there too
sys.stdout.write(json.dumps(read))
