// Practice with exact odds: boards with locked tiles, and boards solved for a tile.

import assert from 'node:assert/strict';
import {join} from 'node:path';
import {after, before, test} from 'node:test';

import {drawPosition, isMade} from '../../src/web/page/practice.js';
import {parseBoard, toDigits} from '../../src/web/page/rules.js';
import {launch, makeWorld, openPage, run, runJson, screenshots, shownBoard, startServer, text} from './harness.js';

let world, server, browser, table;

before(async () => {
    world = makeWorld();
    table = join(world.directory, 'rows8-64');
    run('solve', '4x4', '--walls', 'rows8', '--target', '64', '--out', table, '--quiet');
    server = await startServer(world, 0, table);
    browser = await launch();
});
after(async () => {
    await browser?.close();
    await server?.stop();
    world?.remove();
});

const WALLED = {rows: 4, cols: 4, objective: 'tile:64', four_chance: 0.1, walls: [0, 1, 2, 3, 4, 5, 6, 7], at: []};

test('positions that are drawn are starts of the table', () => {
    for (let i = 0; i < 40; i++) {
        const board = drawPosition(WALLED);
        const free = board.cells.slice(8);
        assert.ok(free.every((value) => value <= 2));
        const sum = free.reduce((total, value) => total + (value ? 2 ** value : 0), 0);
        assert.ok(sum >= 12 && sum <= 20 && sum % 2 === 0, String(sum));
        assert.ok(board.cells.slice(0, 8).every((value) => value > 6));
        assert.equal(new Set(board.cells.slice(0, 8)).size, 8, 'no two of them merge');
        assert.ok(runJson('query', table, toDigits(board)).value > 0);
        assert.equal(isMade(WALLED, board), false);
    }
    const made = parseBoard('edcba98716000000', 4, 4);
    assert.ok(isMade(WALLED, made));
    assert.equal(isMade({...WALLED, at: [8]}, made), false);
    assert.ok(isMade({...WALLED, at: [9]}, made));
});

test('practice on a board with locked tiles', async () => {
    const page = await openPage(browser, `${server.address}#/solved`);
    await page.waitForSelector('#practice-bars[data-board]:not(.stale) .best');
    assert.match(await text(page, '#practice-title'), /64/);
    const shown = () =>
        page.$$eval('#practice-bars li', (items) =>
            Object.fromEntries(
                items.map((item) => [
                    item.dataset.direction,
                    item.dataset.value === '' ? null : Number(item.dataset.value),
                ]),
            ),
        );
    const board = await shownBoard(page, '#practice-board');
    const told = runJson('query', table, board);
    assert.deepEqual(await shown(), told.moves);
    await page.screenshot({path: join(screenshots, 'light-practice.png'), fullPage: true});

    // The worst legal move, and what it cost.
    const [worst, value] = Object.entries(told.moves)
        .filter(([, chance]) => chance !== null)
        .sort((a, b) => a[1] - b[1])[0];
    await page.focus('#practice-board');
    await page.keyboard.press(`Arrow${worst[0].toUpperCase()}${worst.slice(1)}`);
    await page.waitForSelector('#practice-last:not([hidden])');
    assert.equal(Number(await page.getAttribute('#practice-last', 'data-loss')), told.losses[worst]);
    assert.ok(Math.abs(told.value - value - told.losses[worst]) < 1e-12);

    // Best moves to the end; then the rate knows of it.
    for (let i = 0; i < 200 && (await page.isHidden('#practice-end')); i++) {
        await page.waitForFunction(
            () =>
                !document.getElementById('practice-end').hidden ||
                (!document.getElementById('practice-bars').classList.contains('stale') &&
                    document.querySelector('#practice-bars .best')),
        );
        if (await page.isVisible('#practice-end')) break;
        const best = await page.getAttribute('#practice-bars .best', 'data-direction');
        const before = await page.getAttribute('#practice-bars', 'data-board');
        await page.keyboard.press(`Arrow${best[0].toUpperCase()}${best.slice(1)}`);
        await page.waitForFunction(
            (old) =>
                !document.getElementById('practice-end').hidden ||
                document.getElementById('practice-bars').dataset.board !== old,
            before,
        );
    }
    assert.match(await text(page, '#practice-end'), /made/);
    assert.match(await text(page, '#practice-rate'), /^Made [01] of 1 position/);

    // A position that was set up, and one that is none of the table's.
    await page.fill('#practice-text', '16384 8192 4096 2048 / 1024 512 256 128 / 2 2 4 0 / 0 0 4 2');
    await page.click('#practice-form button');
    await page.waitForSelector('#practice-bars[data-board="edcba98711200021"]:not(.stale)');
    assert.deepEqual(await shown(), runJson('query', table, 'edcba98711200021').moves);
    await page.fill('#practice-text', '2 2 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0');
    await page.click('#practice-form button');
    await page.waitForSelector('#practice-error:not([hidden])');
    assert.deepEqual(
        page.errors.filter((error) => !/40[04]/.test(error)),
        [],
        'only the refusal itself',
    );
    await page.context().close();
});
