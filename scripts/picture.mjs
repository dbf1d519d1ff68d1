// Draws the picture of the README (see scripts/picture): plays a game by the bundled network, shows one of its last
// positions on the page of a running server and in the window of `play`, and lays the second over the first.

import {execFileSync, spawn} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {launch, program, run} from '../tests/browser/harness.js';

const SEED = 49; // the best of the first 60 games at 2 plies
const MOVE = 29250;
const DIRECTIONS = ['up', 'right', 'down', 'left'];
const folder = mkdtempSync(join(tmpdir(), 'afterstate-picture-'));

// The first moves of the game, as the page and the API write a game.
async function playGame(address) {
    const record = join(folder, 'game.rec');
    run('play', '--seed', String(SEED), '--depth', '2', '--record', record, '--quiet');
    const answer = await fetch(`${address}api/review?depth=1`, {method: 'POST', body: readFileSync(record)});
    const [game, ...moves] = (await answer.text()).trim().split('\n').map(JSON.parse);
    const step = ({direction, spawn}) => DIRECTIONS.indexOf(direction) + 4 * spawn.cell + (spawn.tile === 4 ? 64 : 0);
    const steps = moves.slice(0, MOVE).map((move) => step(move).toString(16).padStart(2, '0'));
    return {rows: 4, cols: 4, start: game.start, steps: steps.join('')};
}

// The page with the game as if it had been played there.
async function photographPage(browser, address, game) {
    const context = await browser.newContext({
        viewport: {width: 1000, height: 760},
        deviceScaleFactor: 1.5,
        colorScheme: 'light',
    });
    await context.addInitScript((kept) => localStorage.setItem('afterstate.game.4x4', kept), JSON.stringify(game));
    const page = await context.newPage();
    await page.goto(address);
    await page.waitForFunction((n) => document.querySelector('#moves').textContent.replaceAll(',', '') === String(n), MOVE);
    await page.waitForSelector('#bars[data-board]:not(.stale) .best');
    await page.waitForTimeout(1000); // animations
    return page.screenshot();
}

// A terminal's text with its colours, as HTML. Understands what tmux writes: 256 colours and bold.
function htmlOfTerminal(text) {
    const grey = (n) => [8 + 10 * (n - 232)].flatMap((v) => [v, v, v]);
    const cube = (n) => [36, 6, 1].map((d) => Math.floor((n - 16) / d) % 6).map((v) => (v ? 55 + 40 * v : 0));
    const basic = (n) => (n === 0 ? [0, 0, 0] : [1, 2, 4].map((bit) => (n & bit ? (n > 7 ? 255 : 205) : 0)));
    const colour = (n) => `rgb(${n >= 232 ? grey(n) : n >= 16 ? cube(n) : basic(n)})`;
    let style = {};
    const apply = (codes) => {
        for (let i = 0; i < codes.length; i++)
            if (codes[i] === 0) style = {};
            else if (codes[i] === 1) style['font-weight'] = 'bold';
            else if (codes[i] === 38 || codes[i] === 48) {
                style[codes[i] === 38 ? 'color' : 'background'] = colour(codes[i + 2]);
                i += 2;
            } else if (codes[i] === 39) delete style.color;
            else if (codes[i] === 49) delete style.background;
            else if (codes[i] >= 30 && codes[i] < 38) style.color = colour(codes[i] - 30);
            else if (codes[i] >= 40 && codes[i] < 48) style.background = colour(codes[i] - 40);
    };
    return text
        .split(/\x1b\[([\d;]*)m/)
        .map((part, i) => {
            if (i % 2) return apply(part.split(';').map(Number)), '';
            const css = Object.entries(style).map(([name, value]) => `${name}:${value}`);
            return `<span style="${css.join(';')}">${part.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</span>`;
        })
        .join('');
}

// The window of `play` in the same game at the same move.
async function readTerminal() {
    const tmux = (...args) => execFileSync('tmux', ['-L', `afterstate-${process.pid}`, ...args], {encoding: 'utf8'});
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const move = () => Number((tmux('capture-pane', '-p').match(/move ([\d,]+)/)?.[1] ?? '0').replaceAll(',', ''));
    tmux('-f', '/dev/null', 'set', '-g', 'default-terminal', 'screen-256color', ';', 'new-session', '-d', '-x', '66',
        '-y', '16', `${program} play --seed ${SEED} --depth 2 --delay 1`); // prettier-ignore
    try {
        while (move() <= MOVE) await pause(50);
        tmux('send-keys', 'space');
        for (await pause(1000); move() > MOVE; await pause(100)) tmux('send-keys', 'u');
        await pause(1000);
        return htmlOfTerminal(tmux('capture-pane', '-e', '-p').trimEnd());
    } finally {
        tmux('kill-server');
    }
}

const server = spawn(program, ['serve', '--port', '0'], {stdio: ['ignore', 'pipe', 'inherit']});
const browser = await launch();
try {
    const address = await new Promise((resolve) =>
        server.stdout.setEncoding('utf8').once('data', (text) => resolve(text.match(/http:\/\/\S+/)[0])),
    );
    const game = await playGame(address);
    const shot = (await photographPage(browser, address, game)).toString('base64');
    const terminal = await readTerminal();
    const sheet = await browser.newPage({viewport: {width: 1080, height: 880}, deviceScaleFactor: 1});
    await sheet.setContent(`<body style="margin:0;background:#e9e6df">
        <img src="data:image/png;base64,${shot}" style="position:absolute;left:20px;top:20px;width:960px;
            border-radius:8px;box-shadow:0 2px 12px #0005">
        <pre style="position:absolute;right:20px;bottom:20px;margin:0;padding:14px;border-radius:8px;background:#16181d;
            color:#e6edf3;box-shadow:0 2px 16px #0008;font:13px/15px 'DejaVu Sans Mono',monospace">${terminal}</pre>`);
    writeFileSync(process.argv[2], await sheet.screenshot());
} finally {
    await browser.close();
    server.kill('SIGTERM');
    rmSync(folder, {recursive: true, force: true});
}
