"""Boards as text and as pictures."""

from __future__ import annotations

import numpy as np

_FONT = {  # digits of 3 x 5 points, a row a number of three bits
    "0": (7, 5, 5, 5, 7), "1": (2, 6, 2, 2, 7), "2": (7, 1, 7, 4, 7), "3": (7, 1, 7, 1, 7), "4": (5, 5, 7, 1, 1),
    "5": (7, 4, 7, 1, 7), "6": (7, 4, 7, 5, 7), "7": (7, 1, 2, 2, 2), "8": (7, 5, 7, 5, 7), "9": (7, 5, 7, 1, 7),
}  # fmt: skip
_TILE, _GAP = 48, 4
_BACKGROUND = (187, 173, 160)
_COLOURS = np.array(
    [
        (205, 193, 180), (238, 228, 218), (237, 224, 200), (242, 177, 121), (245, 149, 99), (246, 124, 95),
        (246, 94, 59), (237, 207, 114), (237, 204, 97), (237, 200, 80), (237, 197, 63), (237, 194, 46), (94, 218, 146),
        (37, 187, 100), (35, 140, 81), (113, 180, 213), (22, 130, 204), (0, 90, 160),
    ],
    np.uint8,
)  # fmt: skip


def text(board: np.ndarray) -> str:
    """The board as lines of numbers, a dot for an empty cell."""
    cells = [["." if v == 0 else str(1 << int(v)) for v in row] for row in board]
    width = max(len(cell) for row in cells for cell in row)
    return "\n".join(" ".join(cell.rjust(width) for cell in row) for row in cells) + "\n"


def _number(value: int) -> np.ndarray:
    """The number of a tile as an image of 0 and 1."""
    parts = []
    for character in str(1 << value):
        rows = [[row >> (2 - k) & 1 for k in range(3)] for row in _FONT[character]]
        parts += [np.array(rows, bool), np.zeros((5, 1), bool)]
    scale = 4 if value < 7 else 3 if value < 10 else 2
    return np.kron(np.hstack(parts[:-1]), np.ones((scale, scale), bool))


def picture(board: np.ndarray) -> np.ndarray:
    """The board as an image, (height, width, 3) of uint8."""
    rows, cols = board.shape
    step = _TILE + _GAP
    image = np.empty((rows * step + _GAP, cols * step + _GAP, 3), np.uint8)
    image[...] = _BACKGROUND
    for row in range(rows):
        for col in range(cols):
            value = int(board[row, col])
            top, left = _GAP + row * step, _GAP + col * step
            tile = image[top : top + _TILE, left : left + _TILE]
            tile[...] = _COLOURS[value]
            if value:
                number = _number(value)
                y, x = (_TILE - number.shape[0]) // 2, (_TILE - number.shape[1]) // 2
                ink = (119, 110, 101) if value < 3 else (249, 246, 242)
                tile[y : y + number.shape[0], x : x + number.shape[1]][number] = ink
    return image
