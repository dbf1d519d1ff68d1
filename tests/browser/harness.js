// What the browser tests stand on: tables, a network and a run that the program itself makes in a temporary directory,
// a running server, and pages that remember every error of their console.
//
// With AFTERSTATE_SITE, a folder with the WebAssembly module, the same tests run without a server: the page that
// site/make_site.js writes, from a host that knows nothing but files. 4x4 is then evaluated by the hand-made value, in
// the page and in the program: the bundled network would be loaded anew for each page.

import {execFileSync, spawn} from 'node:child_process';
import {createReadStream, mkdtempSync, rmSync, statSync} from 'node:fs';
import {createServer} from 'node:http';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {extname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const {chromium} = createRequire(join(process.env.AFTERSTATE_NODE_MODULES, 'package.json'))('playwright-core');
export const program = process.env.AFTERSTATE_PROGRAM;
export const screenshots = process.env.AFTERSTATE_SCREENSHOTS;
export const siteModule = process.env.AFTERSTATE_SITE;
export const isSite = Boolean(siteModule);
if (isSite) process.env.AFTERSTATE_NET = 'simple';
const recipe = fileURLToPath(new URL('../../recipes/tiny-3x3.ini', import.meta.url));

export const WIDE = {viewport: {width: 1180, height: 860}, colorScheme: 'light'};
export const PHONE = {
    viewport: {width: 360, height: 740},
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 2,
    colorScheme: 'light',
};

// The program's output; its errors are shown if it fails.
export const run = (...args) =>
    execFileSync(program, args, {encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 60000});
export const runJson = (...args) => JSON.parse(run(...args, '--json'));

export const trainArguments = (directory, ...settings) => [
    'train',
    recipe,
    '--out',
    directory,
    '--quiet',
    ...['train.threads=1', 'eval.games=20', ...settings].flatMap((setting) => ['--set', setting]),
];

// Everything that the server is given. `remove()` takes it away.
export function makeWorld() {
    const directory = mkdtempSync(join(tmpdir(), 'afterstate-browser-'));
    const world = {
        directory,
        runs: join(directory, 'runs'),
        network: join(directory, 'runs', 'first', 'network.net'),
        table: join(directory, '2x3'),
        goalTable: join(directory, '2x2-tile16'),
        record: join(directory, 'games.rec'),
        remove: () => rmSync(directory, {recursive: true, force: true}),
    };
    run('solve', '2x3', '--out', world.table, '--quiet');
    run('solve', '2x2', '--out', world.goalTable, '--objective', 'tile:16', '--four-chance', '0.25', '--quiet');
    for (const [name, rule] of [
        ['first', 'tc'],
        ['second', 'td'],
    ])
        run(...trainArguments(join(world.runs, name), 'train.actions=1e5', 'eval.every=2e4', `learn.rule=${rule}`));
    run(
        'play',
        '--board',
        '3x3',
        '--player',
        'random',
        '--games',
        '3',
        '--seed',
        '5',
        '--record',
        world.record,
        '--quiet',
    );
    return world;
}

const TYPES = {'.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml'};

// A host of files.
export async function startHost(folder) {
    const host = createServer((request, response) => {
        const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
        const file = join(folder, path === '/' ? 'index.html' : path);
        const bytes = statSync(file, {throwIfNoEntry: false})?.size;
        if (bytes === undefined) {
            response.writeHead(404).end();
            return;
        }
        const type = TYPES[extname(file)] ?? 'application/octet-stream';
        response.writeHead(200, {'Content-Type': type, 'Content-Length': bytes});
        createReadStream(file).pipe(response);
    });
    await new Promise((resolve) => host.listen(0, '127.0.0.1', resolve));
    const {port} = host.address();
    const exited = new Promise((resolve) => host.once('close', () => resolve(0)));
    return {
        address: `http://127.0.0.1:${port}/`,
        port,
        exited,
        stop: () => {
            host.close();
            host.closeAllConnections();
            return exited;
        },
    };
}

// The page without a server, with these options of site/make_site.js; where it lies.
export function makeSite(folder, ...options) {
    const script = fileURLToPath(new URL('../../site/make_site.js', import.meta.url));
    execFileSync('node', [script, folder, siteModule, ...options], {encoding: 'utf8'});
    return folder;
}

// A server over a world, or a host of a site with the same; resolves when it listens. A server may have other networks.
export async function startServer(world, port = 0, table = world.table, networks = []) {
    if (isSite) {
        const folder = mkdtempSync(join(world.directory, 'site-'));
        return startHost(makeSite(folder, '--network', `first=${world.network}`, '--table', `table=${table}`));
    }
    const child = spawn(
        program,
        [
            ...['serve', '--port', String(port), '--table', table, '--runs', world.runs],
            ...[world.network, ...networks].flatMap((network) => ['--net', network]),
        ],
        {stdio: ['ignore', 'pipe', 'inherit']},
    );
    const exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
    const address = await Promise.race([
        new Promise((resolve) =>
            child.stdout.setEncoding('utf8').once('data', (text) => resolve(text.match(/http:\/\/\S+/)[0])),
        ),
        exited.then((code) => {
            throw new Error(`the server ended with ${code} before it listened`);
        }),
    ]);
    return {
        address,
        port: Number(new URL(address).port),
        exited,
        stop: () => {
            child.kill('SIGTERM');
            return exited;
        },
    };
}

export const launch = () =>
    chromium.launch({
        executablePath: process.env.AFTERSTATE_CHROMIUM ?? '/usr/bin/chromium',
        args: process.getuid() === 0 ? ['--no-sandbox'] : [], // root has no sandbox
    });

// A page in a context of its own, which `prepare` gets first. `page.errors` are the console's errors and uncaught exceptions.
export async function openPage(browser, address, options = WIDE, prepare = undefined) {
    const context = await browser.newContext(options);
    await prepare?.(context);
    const page = await context.newPage();
    page.setDefaultTimeout(120000); // far more than needed: with twenty jobs beside it 30 s were too few
    page.errors = [];
    page.on('console', (message) => message.type() === 'error' && page.errors.push(message.text()));
    page.on('pageerror', (error) => page.errors.push(error.stack));
    await page.goto(address);
    await page.waitForSelector('#board .tile', {state: 'attached'});
    return page;
}

// The board as the tiles show it, once those that merge are gone: digits row by row.
export async function shownBoard(page, root = '#board') {
    await page.waitForFunction((selector) => {
        const places = [...document.querySelectorAll(`${selector} .tile`)].map(
            (tile) => tile.style.getPropertyValue('--r') + tile.style.getPropertyValue('--c'),
        );
        return new Set(places).size === places.length;
    }, root);
    return page.$eval(root, (board) => {
        const cols = Number(board.style.getPropertyValue('--cols'));
        const cells = new Array(board.querySelectorAll('.cell').length).fill(0);
        for (const tile of board.querySelectorAll('.tile'))
            cells[Number(tile.style.getPropertyValue('--r')) * cols + Number(tile.style.getPropertyValue('--c'))] =
                Number(tile.dataset.value);
        return cells.map((value) => '0123456789abcdefgh'[value]).join('');
    });
}

export const text = (page, selector) => page.textContent(selector);
export const count = async (page, selector) => Number((await text(page, selector)).replaceAll(',', ''));

// The bars when they show this board: direction -> the very number the page was given, or null.
export async function shownBars(page, board) {
    await page.waitForSelector(`#bars[data-board="${board}"]:not(.stale)`);
    return page.$$eval('#bars li', (items) =>
        Object.fromEntries(
            items.map((item) => [
                item.dataset.direction,
                item.dataset.value === '' ? null : Number(item.dataset.value),
            ]),
        ),
    );
}

export const shownBest = (page, list = '#bars') => page.$eval(`${list} .best`, (item) => item.dataset.direction);
