// The program plays. At the speeds of the slider it asks, waits until the speed allows it, moves, and again; the answer
// is shown while it waits, so at one move a second one sees what the program thinks before it does it. As fast as it
// can, its moves come in batches over one stream: all of them are played, and of each frame the last one is drawn.

import {ApiError, Latest, sleep} from './api.js';
import {byId, store} from './dom.js';

const SPEEDS = [1, 2, 4, 8, 15, 30, 60, Infinity]; // moves per second
const ANIMATED_UP_TO = 8,
    FAST_FROM = 15;

export class Watch {
    #latest = new Latest();
    #table;
    #speed = store.get('speed', 2);
    #rate = {since: 0, moves: 0};
    #batches = null; // ends the stream
    isRunning = false;

    // `table` is what the watcher plays at: {ask(signal), show(hint, isFast), play(direction, animated), isOver(),
    // stream(signal, onMoves), onStop(error)}; `onMoves` is told how many moves came.
    constructor(table) {
        this.#table = table;
        const slider = byId('speed');
        slider.max = SPEEDS.length - 1;
        slider.value = this.#speed;
        const draw = () => {
            const perSecond = SPEEDS[this.#speed];
            const text =
                perSecond === Infinity ? 'all it can' : perSecond === 60 ? 'every frame' : `${perSecond} a second`;
            byId('speed-text').textContent = text;
            slider.setAttribute('aria-valuetext', text);
        };
        slider.addEventListener('input', () => {
            this.#speed = Number(slider.value);
            store.set('speed', this.#speed);
            this.#rate = {since: performance.now(), moves: 0};
            this.changed();
            draw();
        });
        byId('watch-run').addEventListener('click', () => this.toggle());
        byId('watch-step').addEventListener('click', () => this.step());
        draw();
        this.#draw();
    }

    #draw() {
        byId('watch-run').textContent = this.isRunning ? 'Pause' : 'Watch it play';
        if (!this.isRunning) byId('watch-rate').textContent = '';
    }

    toggle() {
        if (this.isRunning) this.stop();
        else this.#run();
    }

    stop() {
        this.#latest.abort();
        if (!this.isRunning) return;
        this.isRunning = false;
        this.#draw();
        this.#table.onStop(null);
    }

    // Speed or effort changed: a stream begins anew with the new ones.
    changed() {
        this.#batches?.abort();
    }

    async step() {
        this.stop();
        await this.#guard((signal) => this.#oneMove(signal, 0, true));
        this.#table.onStop(null);
    }

    async #run() {
        this.isRunning = true;
        this.#rate = {since: performance.now(), moves: 0};
        this.#draw();
        await this.#guard(async (signal) => {
            while (!signal.aborted && !this.#table.isOver()) {
                const perSecond = SPEEDS[this.#speed];
                if (perSecond === Infinity) {
                    await this.#streamMoves(signal);
                } else {
                    await this.#oneMove(signal, 1000 / perSecond, perSecond <= ANIMATED_UP_TO);
                    this.#count(1);
                }
            }
            this.stop();
        });
    }

    async #guard(job) {
        try {
            await this.#latest.run(job);
        } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            this.stop();
            this.#table.onStop(error);
        }
    }

    async #streamMoves(signal) {
        const batches = (this.#batches = new AbortController());
        const end = () => batches.abort();
        signal.addEventListener('abort', end, {once: true});
        try {
            await this.#table.stream(batches.signal, (moves) => this.#count(moves));
        } catch (error) {
            if (!batches.signal.aborted) throw error;
        } finally {
            signal.removeEventListener('abort', end);
            this.#batches = null;
        }
    }

    async #oneMove(signal, interval, animated) {
        if (this.#table.isOver()) return;
        const started = performance.now();
        const hint = await this.#table.ask(signal);
        this.#table.show(hint, interval > 0 && 1000 / interval >= FAST_FROM);
        const wait = interval - (performance.now() - started);
        if (wait > 1) await sleep(wait, signal);
        if (!signal.aborted) this.#table.play(hint.exact?.best ?? hint.best, animated);
    }

    #count(moves) {
        this.#rate.moves += moves;
        const seconds = (performance.now() - this.#rate.since) / 1000;
        if (seconds >= 0.5) {
            byId('watch-rate').textContent =
                `${Math.round(this.#rate.moves / seconds).toLocaleString('en-US')} moves/s`;
            this.#rate = {since: performance.now(), moves: 0};
        }
    }
}
