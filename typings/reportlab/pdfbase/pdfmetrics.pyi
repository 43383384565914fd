from reportlab.pdfbase.ttfonts import TTFont

def registerFont(font: TTFont) -> None: ...
def stringWidth(text: str, fontName: str, fontSize: float) -> float: ...  # noqa: N803
