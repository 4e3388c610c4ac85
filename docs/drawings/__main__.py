"""Writes all drawings."""

from docs.drawings.pictures import DRAWINGS, FOLDER

if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for stale in FOLDER.glob("*.svg"):
        stale.unlink()
    for name, draw in DRAWINGS.items():
        (FOLDER / f"{name}.svg").write_text(draw(), encoding="utf-8", newline="\n")
