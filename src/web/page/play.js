// The Play view: one game, played by a person, by the program, or by both in turn. It owns the game and tells the
// board, the hints and the score boxes what happened; watching and setting up are modules that it is handed to.

import {ApiError, chosenJudge, fetchFile, offered, server, stream} from './api.js';
import {BoardView} from './board_view.js';
import {announce, byId, download, element, number, plural, store} from './dom.js';
import {Game} from './game.js';
import {Hints} from './hints.js';
import {MOVE_KEYS, listenToSwipes} from './input.js';
import {readAnyBoard} from './paste.js';
import {drawPicture} from './picture.js';
import {emptyBoard, face, isSize, largestTile, parseBoard, sizeName, toDigits} from './rules.js';
import {Setup} from './setup.js';
import {Watch} from './watch.js';

const SAVE_EVERY_MS = 1500,
    ANNOUNCE_PROGRAM_EVERY_MS = 4000,
    NOTICE_MS = 5000;

// The first tile that is worth a notice: 2048 on 4x4, and what is about as hard on smaller boards.
const firstNotable = (board) => Math.min(11, Math.max(3, board.cells.length - 1));

export class PlayView {
    #game;
    #before = null; // the game that another took the place of, until the first move: undo brings it back
    #view = new BoardView(byId('board'));
    #hints = new Hints(() => {
        this.#watch.changed();
        this.#showHints();
    });
    #setup = new Setup(this.#view, (board) => this.#endSetup(board));
    #watch;
    #best = store.get('best', {});
    #saveTimer = 0;
    #frame = 0;
    #thought = null; // an answer that waits for its frame
    #announced = 0;
    #openReview;
    #largest = 0; // of the game so far, as an exponent
    #noticeTimer = 0;

    constructor(openReview) {
        this.#openReview = openReview;
        this.#watch = new Watch({
            ask: (signal) => this.#hints.ask(this.#game.board, signal),
            show: (hint, isFast) => this.#onFrame({hint: {hint, isFast}}),
            play: (direction, animated) => this.#program(direction, animated),
            stream: (signal, onMoves) => this.#streamMoves(signal, onMoves),
            isOver: () => this.#game.isOver,
            onStop: (error) => this.#watchStopped(error),
        });
        const size = store.get('size', {rows: 4, cols: 4});
        this.#game = this.#load(isSize(size.rows, size.cols) ? size : {rows: 4, cols: 4});
        byId('new').addEventListener('click', () => this.newGame());
        byId('undo').addEventListener('click', () => this.undo());
        byId('redo').addEventListener('click', () => this.redo());
        byId('picture').addEventListener('click', () => this.picture());
        byId('notice').addEventListener('click', () => this.#hideNotice());
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
            y: () => this.redo(),
            p: () => this.picture(),
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

    redo() {
        this.#watch.stop();
        this.#setup.cancel();
        if (!this.#game.redo()) return;
        this.#redraw();
        announce(`Played again. Score ${number(this.#game.score)}.`);
    }

    // A board that is pasted anywhere on this view; false if the text is none.
    paste(text) {
        const {rows, cols} = this.#game.board;
        try {
            this.#endSetup(readAnyBoard(text, rows, cols));
            this.#note('This is the board that you pasted. Undo brings the old game back.');
        } catch (error) {
            this.#note(`What you pasted is no board. ${error.message}`);
        }
    }

    // The board as a picture: shared where the device can, else saved.
    async picture() {
        const {board, score, moves} = this.#game;
        const text = `${number(score)} points, ${plural(moves, 'move')}`;
        const name = `2048-${sizeName(board)}-${score}.png`;
        const blob = await drawPicture(board, text);
        const file = new File([blob], name, {type: 'image/png'});
        const isTouch = matchMedia('(pointer: coarse)').matches;
        if (isTouch && navigator.canShare?.({files: [file]})) {
            await navigator.share({files: [file], text}).catch(() => {}); // the person changed their mind
        } else {
            download(name, blob);
            this.#note('The picture of this board is saved.');
        }
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
        this.#largest = 0;
        this.#hideNotice();
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
        this.#announceProgram();
    }

    // Plays what the server plays, batch by batch, until the game is over or the signal comes.
    async #streamMoves(signal, onMoves) {
        const {board} = this.#game;
        const judge = chosenJudge(board);
        const question = {board: toDigits(board), rows: board.rows, cols: board.cols, judge, ...this.#hints.effort};
        const seed = Math.floor(Math.random() * 2 ** 48);
        let depth = 0,
            head = null;
        await stream('/api/watch', {...question, seed}, {signal}, (line) => {
            if (signal.aborted) return;
            if (head === null) {
                head = line;
                depth = line.depth;
            } else if (line.steps) {
                for (let i = 0; i < line.steps.length; i += 2)
                    this.#programStep(parseInt(line.steps.slice(i, i + 2), 16));
                onMoves(line.steps.length / 2);
                const {judge, rows, cols, table} = head;
                const told = {moves: line.values, best: line.best, board: line.board, judge, rows, cols, depth};
                const hint = table ? {...told, exact: {table, moves: line.values, best: line.best}} : told;
                this.#onFrame({hint: {hint, isFast: true}});
                this.#announceProgram();
            }
        });
    }

    #programStep(step) {
        this.#game.future = [];
        this.#game.playStep(step);
        this.#game.counts = false;
        this.#before = null;
        this.#saveTimer ||= setTimeout(() => this.#save(), SAVE_EVERY_MS);
    }

    #announceProgram() {
        if (performance.now() - this.#announced <= ANNOUNCE_PROGRAM_EVERY_MS) return;
        this.#announced = performance.now();
        const {moves, score, board} = this.#game;
        announce(`${plural(moves, 'move')}, score ${number(score)}, largest tile ${largestTile(board)}.`);
    }

    // Tells of 2048 and of every larger tile, once a game.
    #noticeTile() {
        const {board, last} = this.#game;
        const largest = Math.max(...board.cells),
            before = this.#largest || (last ? Math.max(...last.board.cells) : largest);
        this.#largest = Math.max(largest, before);
        if (largest <= before || largest < firstNotable(board)) return;
        const tile = face(largest);
        const isFirst = largest === firstNotable(board);
        byId('notice-tile').firstElementChild.textContent = String(tile);
        byId('notice-tile').dataset.value = largest;
        byId('notice-text').textContent = isFirst
            ? `${tile} is made, after ${plural(this.#game.moves, 'move')}. How far does it go?`
            : `A ${tile}, the largest tile of this game so far.`;
        byId('notice').hidden = false;
        announce(byId('notice-text').textContent);
        clearTimeout(this.#noticeTimer);
        this.#noticeTimer = setTimeout(() => this.#hideNotice(), NOTICE_MS);
    }

    #hideNotice() {
        clearTimeout(this.#noticeTimer);
        byId('notice').hidden = true;
    }

    #moved(played, animated) {
        this.#before = null;
        if (location.hash !== '#/play') history.replaceState(null, '', '#/play');
        if (animated) {
            this.#view.move(played, this.#game.board);
            this.#drawScore(played.reward);
            this.#noticeTile();
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
            if (this.#thought) this.#hints.showThought(this.#thought.hint, this.#thought.isFast);
            this.#thought = null;
            if (toDigits(this.#view.board) !== toDigits(this.#game.board)) {
                this.#view.show(this.#game.board);
                this.#drawScore(0);
                this.#noticeTile();
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
        byId('redo').disabled = game.future.length === 0;
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
