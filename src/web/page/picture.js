// The board as a picture to keep or to share: drawn on a canvas in the colours of the page.

import {face} from './rules.js';

const SIDE = 150,
    GAP = 16,
    FOOT = 64;
const FONT = 'system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif';

// A PNG of the board and a line of text below it.
export async function drawPicture(board, text) {
    const {rows, cols, cells} = board;
    const width = cols * (SIDE + GAP) + GAP,
        height = rows * (SIDE + GAP) + GAP;
    const canvas = document.createElement('canvas');
    canvas.width = width;
    canvas.height = height + FOOT;
    const pen = canvas.getContext('2d');
    const colours = getComputedStyle(document.documentElement);
    const colour = (name) => colours.getPropertyValue(name).trim();
    const box = (x, y, w, h, radius, fill) => {
        pen.fillStyle = fill;
        pen.beginPath();
        pen.roundRect(x, y, w, h, radius);
        pen.fill();
    };
    pen.fillStyle = colour('--paper');
    pen.fillRect(0, 0, canvas.width, canvas.height);
    box(0, 0, width, height, 24, colour('--board'));
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    cells.forEach((value, cell) => {
        const x = GAP + (cell % cols) * (SIDE + GAP),
            y = GAP + Math.floor(cell / cols) * (SIDE + GAP);
        box(x, y, SIDE, SIDE, 14, colour(value ? `--tile-${value}` : '--cell'));
        if (!value) return;
        const digits = String(face(value));
        pen.fillStyle = inkOf(value);
        pen.font = `700 ${[64, 64, 58, 48, 38, 32][digits.length - 1]}px ${FONT}`;
        pen.fillText(digits, x + SIDE / 2, y + SIDE / 2);
    });
    pen.fillStyle = colour('--ink');
    pen.font = `600 26px ${FONT}`;
    pen.fillText(text, width / 2, height + FOOT / 2, width - 2 * GAP);
    return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

// A tile's text colour refers to another variable, which only an element resolves.
function inkOf(value) {
    const probe = document.createElement('span');
    probe.style.color = `var(--ink-${value})`;
    document.body.append(probe);
    const {color} = getComputedStyle(probe);
    probe.remove();
    return color;
}
