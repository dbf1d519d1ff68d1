// The page without a server: its answers are the program's to the last digit, it says who answers, and it runs from a
// file on disk. Skipped where there is no WebAssembly module.

import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readFileSync, statSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {fileURLToPath, pathToFileURL} from 'node:url';

import {Game} from '../../src/web/page/game.js';
import {legalMoves, toDigits} from '../../src/web/page/rules.js';
import {
    isSite,
    launch,
    makeSite,
    makeWorld,
    openPage,
    program,
    run,
    screenshots,
    shownBars,
    shownBoard,
    siteModule,
    startHost,
    text,
    WIDE,
} from './harness.js';

const skip = !isSite && 'no WebAssembly module';
const golden = fileURLToPath(new URL('../golden/signature', import.meta.url));
const recipe = fileURLToPath(new URL('../../recipes/site-small.ini', import.meta.url));
const N_HINTS = 1000;
let world, module, browser;
let unwanted = () => false; // what a search is told when it asks

before(async () => {
    if (!isSite) return;
    world = makeWorld();
    const create = createRequire(import.meta.url)(join(siteModule, 'afterstate.js'));
    module = await create({
        wasmBinary: readFileSync(join(siteModule, 'afterstate.wasm')),
        isUnwanted: () => unwanted(),
    });
    browser = await launch();
});
after(async () => {
    await browser?.close();
    world?.remove();
});

function pointerTo(word) {
    const bytes = module.lengthBytesUTF8(word) + 1;
    const pointer = module._malloc(bytes);
    module.stringToUTF8(word, pointer, bytes);
    return pointer;
}

function siteWith(name, file) {
    const site = module._site_create(1);
    if (file) {
        const data = readFileSync(file);
        const pointer = module._malloc(data.length);
        module.HEAPU8.set(data, pointer);
        assert.equal(module._site_add_network(site, pointerTo(name), pointer, data.length), 0);
        module._free(pointer);
    }
    assert.equal(module._site_start(site), 0);
    return site;
}

function ask(site, target) {
    const request = module._site_request(site, pointerTo('GET'), pointerTo(target), 0, 0);
    const data = module._site_request_data(request);
    const answer = Buffer.from(module.HEAPU8.slice(data, data + module._site_request_bytes(request))).toString();
    assert.equal(module._site_request_code(request), 200, answer);
    module._site_request_free(request);
    return JSON.parse(answer);
}

// Boards of games with random moves, early ones and late ones.
function randomBoards(rows, cols, n) {
    const boards = [];
    let game = Game.begin(rows, cols);
    while (boards.length < n) {
        const moves = legalMoves(game.board);
        if (moves.length === 0) game = Game.begin(rows, cols);
        else {
            boards.push(toDigits(game.board));
            game.play(moves[Math.floor(Math.random() * moves.length)]);
        }
    }
    return boards;
}

test('the golden signature', {skip}, () => {
    const pointer = module._site_signature();
    assert.equal(`signature ${module.UTF8ToString(pointer)}`, readFileSync(golden, 'utf8').trim());
    module._free(pointer);
});

test(`${N_HINTS} hints are those of the program, to the last digit`, {skip}, () => {
    // The network that the site has inside, hardly trained, in the form in which it is shipped.
    const trained = join(world.directory, 'small'),
        small = join(world.directory, 'small.net');
    run('train', recipe, '--out', trained, '--quiet', '--set', 'train.actions=2e5', '--set', 'eval.games=1');
    run('net', 'shrink', join(trained, 'network.net'), small, '--step', '8', '--quiet');
    const cases = [
        {size: [4, 4], name: 'small', file: small, depth: 3, n: 500},
        {size: [3, 3], name: 'first', file: world.network, depth: 3, n: 300},
        {size: [4, 4], name: 'simple', file: null, depth: 2, n: 200},
    ];
    assert.equal(
        cases.reduce((sum, {n}) => sum + n, 0),
        N_HINTS,
    );
    for (const {size, name, file, depth, n} of cases) {
        const boards = randomBoards(...size, n);
        const site = siteWith(name, file);
        const output = execFileSync(
            program,
            ['hint', '--net', file ?? 'simple', '--board', size.join('x'), '--depth', String(depth), '--json'],
            {input: `${boards.join('\n')}\n`, encoding: 'utf8', maxBuffer: 1e8},
        );
        const told = output.trim().split('\n').map(JSON.parse);
        assert.equal(told.length, n);
        boards.forEach((board, i) => {
            const {moves, best, rewards} = ask(site, `/api/hint?board=${board}&depth=${depth}`);
            assert.deepEqual({moves, best, rewards}, {moves: told[i].moves, best: told[i].best, rewards: told[i].rewards}, board);
        });
    }
});

test('hints of a neural network are those of the program, to the rounding of its products', {skip}, () => {
    const neural = fileURLToPath(new URL('../../recipes/neural-tiny-3x3.ini', import.meta.url));
    for (const [size, model, n] of [
        [[3, 3], '2x2 16 24 fc 16', 100],
        [[4, 4], '2x2 21 37 fc 45', 20], // sizes that fit no vector
    ]) {
        const directory = join(world.directory, `neural-${size[0]}`);
        const settings = [`neural.model=${model}`, `board.rows=${size[0]}`, `board.cols=${size[1]}`, 'train.actions=5e3', 'eval.games=1'];
        run('train', neural, '--out', directory, '--quiet', ...settings.flatMap((setting) => ['--set', setting]));
        const file = join(directory, 'network.net');
        const boards = randomBoards(...size, n);
        const site = siteWith('neural', file);
        const output = execFileSync(program, ['hint', '--net', file, '--depth', '2', '--json'], {
            input: `${boards.join('\n')}\n`,
            encoding: 'utf8',
        });
        const told = output.trim().split('\n').map(JSON.parse);
        boards.forEach((board, i) => {
            const {moves} = ask(site, `/api/hint?board=${board}&depth=2`);
            assert.deepEqual(Object.keys(moves).sort(), Object.keys(told[i].moves).sort());
            for (const [direction, value] of Object.entries(told[i].moves))
                assert.ok(
                    value === null ? moves[direction] === null : Math.abs(moves[direction] / value - 1) < 1e-4 || Math.abs(moves[direction] - value) < 1e-2,
                    `${board} ${direction}: ${moves[direction]}, expected ${value}`,
                );
        });
        let questions = 0;
        unwanted = () => ++questions > 1;
        const request = module._site_request(site, pointerTo('GET'), pointerTo(`/api/hint?board=${boards[0]}&depth=4`), 0, 0);
        assert.equal(module._site_request_code(request), 503, 'given up');
        module._site_request_free(request);
        unwanted = () => false;
    }
});

test('a search ends when its answer is not wanted any more, and the next one is as it should be', {skip}, () => {
    const site = siteWith('simple', null);
    const target = '/api/hint?board=1230000000000010&depth=5';
    const askOnce = () => {
        const request = module._site_request(site, pointerTo('GET'), pointerTo(target), 0, 0);
        const code = module._site_request_code(request);
        module._site_request_free(request);
        return code;
    };
    let questions = 0;
    unwanted = () => ++questions > 5;
    assert.equal(askOnce(), 503);
    const until = questions;
    assert.ok(until <= 7, `it asked ${until} times`);
    unwanted = () => ++questions < 0;
    assert.equal(askOnce(), 200);
    assert.ok(questions - until > 20, `a whole search asks more often: ${questions - until} times`);
    unwanted = () => false;
});

// The answers of the Worker as they reach the page, also those that it no longer wants: id -> status.
const recordAnswers = (context) =>
    context.addInitScript(() => {
        globalThis.answers = {};
        globalThis.Worker = class extends Worker {
            constructor(...args) {
                super(...args);
                this.addEventListener('message', ({data}) => data.status && (answers[data.id] ??= data.status));
            }
        };
    });

test('what the page gives up is not computed', {skip}, async () => {
    const folder = makeSite(join(world.directory, 'cancel'), '--network', `first=${world.network}`);
    const host = await startHost(folder);
    const page = await openPage(browser, `${host.address}#/play/4x4/1230000000000010`, WIDE, recordAnswers);
    await shownBars(page, '1230000000000010');
    // Hints by time take all of it; a new board gives the one before up.
    await page.click('input[name="effort"][value="ms"]');
    for (let i = 11; i < 40; i++)
        await page.evaluate((board) => (location.hash = `#/play/4x4/${board}`), `12300000000000${i}`);
    await page.waitForFunction(() => Object.values(globalThis.answers).includes(503));
    const bars = await shownBars(page, '1230000000000039');
    assert.ok(Object.values(bars).some((value) => value !== null));
    assert.deepEqual(page.errors, []);
    await page.context().close();
    await host.stop();
});

test('the page says who answers, and loads a network on request', {skip}, async () => {
    const folder = makeSite(join(world.directory, 'on-request'), '--on-request', `first=${world.network}`);
    const host = await startHost(folder);
    const page = await openPage(browser, `${host.address}#/play/3x3/123001000`);
    await shownBars(page, '123001000');
    assert.match(await text(page, '#source-text'), /^This browser answers/);
    assert.match(await text(page, '#judge'), /hand-made/);
    await page.screenshot({path: join(screenshots, 'site-source.png'), fullPage: true});
    await page.click('#source-networks button');
    await page.waitForFunction(() => document.getElementById('source-note').textContent.endsWith('is loaded.'));
    await page.waitForFunction(() => document.getElementById('judge').textContent.includes('first'));
    const kept = await page.evaluate(async () => (await (await caches.open('afterstate')).keys()).length);
    assert.equal(kept, 1, 'kept for the next visit');

    // The next visit takes it from there: the host has it no more.
    await page.route('**/first.net', (route) => route.abort());
    await page.reload();
    await page.click('#source-networks button');
    await page.waitForFunction(() => document.getElementById('source-note').textContent.endsWith('is loaded.'));

    // A damaged file is refused.
    await page.unroute('**/first.net');
    await page.evaluate(() => caches.delete('afterstate'));
    const data = readFileSync(join(folder, 'first.net'));
    data[data.length >> 1] ^= 1;
    writeFileSync(join(folder, 'first.net'), data);
    await page.reload();
    await page.click('#source-networks button');
    await page.waitForFunction(() => document.getElementById('source-note').textContent.startsWith('Not loaded'));
    assert.match(await text(page, '#source-note'), /damaged/);
    assert.deepEqual(page.errors, []);
    await page.context().close();
    await host.stop();
});

test('one file from disk', {skip}, async () => {
    const folder = makeSite(
        join(world.directory, 'one-file'),
        '--network',
        `first=${world.network}`,
        '--table',
        `2x3=${world.table}`,
    );
    const file = join(folder, 'afterstate.html');
    assert.ok(statSync(file).size > statSync(world.network).size);
    const page = await openPage(browser, `${pathToFileURL(file).href}#/play/3x3/123001000`);
    const bars = await shownBars(page, '123001000');
    assert.equal(await shownBoard(page), '123001000');
    const told = JSON.parse(
        execFileSync(program, ['hint', '--net', world.network, '--json', '123001000'], {encoding: 'utf8'}),
    );
    assert.deepEqual(bars, told.moves);
    await page.screenshot({path: join(screenshots, 'site-one-file.png'), fullPage: true});
    assert.deepEqual(page.errors, []);
    await page.context().close();
});
