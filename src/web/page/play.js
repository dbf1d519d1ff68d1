// The Play view: one game, played by a person, by the program, or by both in turn. It owns the game and tells the
// board, the hints and the score boxes what happened; watching and setting up are modules that it is handed to.

import {ApiError, fetchFile, offered, server} from './api.js';
import {BoardView} from './board_view.js';
import {announce, byId, download, element, number, plural, store} from './dom.js';
import {Game} from './game.js';
import {Hints} from './hints.js';
import {MOVE_KEYS, listenToSwipes} from './input.js';
import {emptyBoard, face, isSize, largestTile, parseBoard, sizeName, toDigits} from './rules.js';
import {Setup} from './setup.js';
import {Watch} from './watch.js';

const SAVE_EVERY_MS = 1500,
    ANNOUNCE_PROGRAM_EVERY_MS = 4000;

export class PlayView {
    #game;
    #before = null; // the game that another took the place of, until the first move: undo brings it back
    #view = new BoardView(byId('board'));
    #hints = new Hints(() => this.#showHints());
    #setup = new Setup(this.#view, (board) => this.#endSetup(board));
    #watch;
    #best = store.get('best', {});
    #saveTimer = 0;
    #frame = 0;
    #thought = null; // an answer that waits for its frame
    #announced = 0;
    #openReview;

    constructor(openReview) {
        this.#openReview = openReview;
        this.#watch = new Watch({
            ask: (signal) => this.#hints.ask(this.#game.board, signal),
            show: (hint) => this.#onFrame({hint}),
            play: (direction, animated) => this.#program(direction, animated),
            isOver: () => this.#game.isOver,
            onStop: (error) => this.#watchStopped(error),
        });
        const size = store.get('size', {rows: 4, cols: 4});
        this.#game = this.#load(isSize(size.rows, size.cols) ? size : {rows: 4, cols: 4});
        byId('new').addEventListener('click', () => this.newGame());
        byId('undo').addEventListener('click', () => this.undo());
        byId('edit').addEventListener('click', () => this.edit());
        byId('share').addEventListener('click', () => this.share());
        byId('save').addEventListener('click', () => this.#saveFile());
        byId('review-game').addEventListener('click', () => this.#openReview(this.#game));
        byId('size').addEventListener('change', (event) => this.#changeSize(event.target.value));
        listenToSwipes(byId('board'), (direction) => this.#setup.isOpen || this.#person(direction));
        server.addEventListener('change', () => {
            this.#drawSizes();
            this.#showHints();
        });
        addEventListener('pagehide', () => this.#save());
        this.#drawSizes();
        this.#redraw();
    }

    get game() {
        return this.#game;
    }

    // A link's board, or nothing: the game that is there.
    open(sizeText, digits) {
        if (!sizeText) return;
        const [rows, cols] = sizeText.split('x').map(Number);
        try {
            if (!isSize(rows, cols))
                throw new Error(`${sizeText} is no board size: 1 to 6 rows and columns, at most 16 cells.`);
            if (digits) this.#begin(new Game(parseBoard(digits, rows, cols)));
            else this.#replace(this.#load({rows, cols}));
            announce(`A ${sizeName(this.#game.board)} board.`);
        } catch (error) {
            this.#note(`This link holds no board. ${error.message}`);
        }
    }

    show() {
        this.#showHints();
    }

    hide() {
        this.#watch.stop();
        this.#setup.cancel();
    }

    // Keys of this view; true if one was used.
    key(event) {
        if (this.#setup.isOpen) {
            if (event.key === 'Escape') this.#setup.cancel();
            return event.key === 'Escape';
        }
        const direction = MOVE_KEYS[event.key];
        if (direction) {
            this.#person(direction);
            return true;
        }
        const jobs = {
            u: () => this.undo(),
            z: () => this.undo(),
            n: () => this.newGame(),
            h: () => this.#hints.toggle(),
            ' ': () => this.#watch.toggle(),
            '.': () => this.#watch.step(),
            e: () => this.edit(),
            c: () => this.share(),
            r: () => this.#openReview(this.#game),
        };
        const key = event.key.toLowerCase();
        jobs[key]?.();
        return key in jobs;
    }

    newGame() {
        const {rows, cols} = this.#game.board;
        this.#begin(this.#counting(Game.begin(rows, cols)));
        announce('New game.');
    }

    undo() {
        this.#watch.stop();
        this.#setup.cancel();
        if (!this.#game.undo()) {
            if (!this.#before) return;
            this.#game = this.#before;
            this.#before = null;
        }
        this.#redraw();
        announce(`Taken back. Score ${number(this.#game.score)}.`);
    }

    edit() {
        this.#watch.stop();
        if (this.#setup.isOpen) {
            this.#setup.cancel();
            return;
        }
        this.#setup.begin(this.#game.board);
        this.#setup.focus();
    }

    async share() {
        const {board} = this.#game;
        history.replaceState(null, '', `#/play/${sizeName(board)}/${toDigits(board)}`);
        try {
            await navigator.clipboard.writeText(location.href);
            this.#note('The link to this board is in the clipboard and in the address bar.');
        } catch {
            this.#note('The link to this board is in the address bar: copy it from there.');
        }
    }

    // A game that counts for the best score: begun anew here, and no move of the program's in it.
    #counting(game) {
        game.counts = true;
        return game;
    }

    #load({rows, cols}) {
        const kept = store.get(`game.${rows}x${cols}`, null);
        try {
            const game = Game.fromJSON(kept);
            game.counts = kept.counts === true;
            return game;
        } catch {
            // nothing kept, or nothing that makes sense
            return this.#counting(Game.begin(rows, cols));
        }
    }

    #save() {
        clearTimeout(this.#saveTimer);
        this.#saveTimer = 0;
        const {rows, cols} = this.#game.board;
        store.set('size', {rows, cols});
        store.set(`game.${rows}x${cols}`, {...this.#game.toJSON(), counts: this.#game.counts});
        store.set('best', this.#best);
    }

    // Begins another game in the place of the one of its size, which undo brings back until the first move.
    #begin(game) {
        this.#save();
        const kept = this.#load(game.board);
        this.#replace(game, kept.moves > 0 ? kept : null);
    }

    #replace(game, before = null) {
        this.#watch.stop();
        this.#setup.cancel();
        this.#save();
        this.#game = game;
        this.#before = before;
        this.#drawSizes();
        this.#redraw();
    }

    #endSetup(board) {
        if (board) {
            this.#begin(new Game(board));
            history.replaceState(null, '', `#/play/${sizeName(board)}/${toDigits(board)}`);
            announce('The board is set.');
        } else {
            this.#drawSizes();
            this.#redraw();
        }
        byId(board ? 'board' : 'edit').focus();
    }

    #changeSize(name) {
        const [rows, cols] = name.split('x').map(Number);
        if (this.#setup.isOpen) {
            this.#setup.begin(emptyBoard(rows, cols));
        } else {
            this.#replace(this.#load({rows, cols}));
            history.replaceState(null, '', '#/play');
            byId('board').focus();
        }
    }

    #person(direction) {
        if (this.#watch.isRunning) {
            this.#watch.stop();
            announce('You have taken over.');
        }
        const played = this.#game.play(direction);
        if (!played) {
            announce(this.#game.isOver ? 'No move is left.' : `Nothing moves ${direction}.`);
            return;
        }
        this.#moved(played, true);
        this.#announceMove(direction, played);
        this.#showHints();
    }

    #announceMove(direction, {reward, spawn}) {
        const {board, score, isOver} = this.#game;
        const points = reward ? `, ${reward} points` : '';
        const place = `row ${Math.floor(spawn.cell / board.cols) + 1}, column ${(spawn.cell % board.cols) + 1}`;
        const end = isOver ? ' No move is left.' : '';
        announce(`${direction}${points}. New ${face(spawn.value)} in ${place}. Score ${number(score)}.${end}`);
    }

    #program(direction, animated) {
        const played = this.#game.play(direction);
        this.#game.counts = false;
        this.#moved(played, animated);
        if (performance.now() - this.#announced > ANNOUNCE_PROGRAM_EVERY_MS) {
            this.#announced = performance.now();
            const {moves, score, board} = this.#game;
            announce(`${plural(moves, 'move')}, score ${number(score)}, largest tile ${largestTile(board)}.`);
        }
    }

    #moved(played, animated) {
        this.#before = null;
        if (location.hash !== '#/play') history.replaceState(null, '', '#/play');
        if (animated) {
            this.#view.move(played, this.#game.board);
            this.#drawScore(played.reward);
        } else {
            this.#onFrame({});
        }
        this.#saveTimer ||= setTimeout(() => this.#save(), SAVE_EVERY_MS);
    }

    // Draws in the next frame what the program thinks and has done; of several moves a frame only the last.
    #onFrame({hint}) {
        this.#thought = hint ?? this.#thought;
        this.#frame ||= requestAnimationFrame(() => {
            this.#frame = 0;
            if (this.#thought) this.#hints.showThought(this.#thought);
            this.#thought = null;
            if (toDigits(this.#view.board) !== toDigits(this.#game.board)) {
                this.#view.show(this.#game.board);
                this.#drawScore(0);
            }
        });
    }

    #watchStopped(error) {
        this.#redraw();
        if (error && !server.gone) this.#note(error.message);
        if (this.#game.isOver) announce(`The game is over. Score ${number(this.#game.score)}.`);
    }

    #redraw() {
        cancelAnimationFrame(this.#frame);
        this.#frame = 0;
        this.#thought = null;
        if (
            this.#view.board === null ||
            toDigits(this.#view.board) !== toDigits(this.#game.board) ||
            sizeName(this.#view.board) !== sizeName(this.#game.board)
        )
            this.#view.show(this.#game.board);
        this.#drawScore(0);
        this.#showHints();
        this.#saveTimer ||= setTimeout(() => this.#save(), SAVE_EVERY_MS);
    }

    #showHints() {
        if (!this.#watch?.isRunning && !this.#setup.isOpen) this.#hints.update(this.#game);
    }

    #drawScore(gain) {
        const game = this.#game,
            name = sizeName(game.board);
        if (game.counts && game.score > (this.#best[name] ?? 0)) this.#best[name] = game.score;
        byId('score').textContent = game.score.toLocaleString('en-US');
        byId('best').textContent = (this.#best[name] ?? 0).toLocaleString('en-US');
        byId('moves').textContent = game.moves.toLocaleString('en-US');
        byId('undo').disabled = game.moves === 0 && !this.#before;
        byId('save').disabled = byId('review-game').disabled = game.moves === 0;
        byId('share-note').hidden = true;
        byId('over').hidden = !game.isOver;
        byId('watch-step').disabled = byId('watch-run').disabled = game.isOver || server.gone || !offered(game.board);
        if (game.isOver)
            byId('over-text').textContent =
                `${number(game.score)} points in ${plural(game.moves, 'move')}, largest tile ${largestTile(game.board)}. ` +
                'Take moves back, review the game, or begin a new one.';
        if (gain > 0) {
            const label = byId('gain');
            label.textContent = `+${gain}`;
            label.classList.remove('rise');
            void label.offsetWidth; // begins the animation anew
            label.classList.add('rise');
        }
    }

    #drawSizes() {
        const here = sizeName(this.#game.board);
        const sizes = (server.health?.boards ?? [{rows: 4, cols: 4, table: null}]).map((board) => [
            sizeName(board),
            board.table ? `${sizeName(board)}, solved` : sizeName(board),
        ]);
        if (!sizes.some(([name]) => name === here)) sizes.push([here, `${here}, no hints`]);
        byId('size').replaceChildren(
            ...sizes.map(([name, text]) => element('option', {value: name, selected: name === here}, text)),
        );
        byId('watch-step').disabled = byId('watch-run').disabled =
            this.#game.isOver || server.gone || !offered(this.#game.board);
    }

    // As a record file, which the server makes; as JSON while it is gone. Review reads both.
    async #saveFile() {
        const json = JSON.stringify(this.#game),
            name = `2048-${sizeName(this.#game.board)}-${this.#game.score}`;
        try {
            download(`${name}.rec`, await fetchFile('/api/record', json));
            this.#note('Saved as a record. Review loads it, and afterstate play --replay shows it.');
        } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            download(`${name}.json`, new Blob([json], {type: 'application/json'}));
            this.#note('Saved as JSON, since the server made no record of it. Review loads it.');
        }
    }

    #note(text) {
        byId('share-note').textContent = text;
        byId('share-note').hidden = false;
        announce(text);
    }
}
