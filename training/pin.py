"""Write lengths and SHA-256 of the exported files into the table of assets, so that a changed model is never mistaken for a damaged one."""

import os
import re
import sys

from export import digest

folder, constant, table = sys.argv[1:]
text = open(table, encoding="utf-8").read()
start = text.index(f"pub const {constant}:")
end = text.index("};", start)
part = text[start:end]
for name in re.findall(r'path: "([^"]*)"', part):
    path = os.path.join(folder, name)
    grouped = f"{os.path.getsize(path):_}"
    part, count = re.subn(
        r'(path: "%s",\s+bytes: )[\d_]+(,\s+sha256: ")[^"]*' % re.escape(name),
        lambda m: f"{m[1]}{grouped}{m[2]}{digest(path)}",
        part,
    )
    assert count == 1, name
open(table, "w", encoding="utf-8").write(text[:start] + part + text[end:])
