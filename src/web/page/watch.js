// The program plays: ask, wait until the speed allows it, move, and again. The answer is shown while it waits, so at
// one move a second one sees what the program thinks before it does it.

import {ApiError, Latest, sleep} from './api.js';
import {byId, store} from './dom.js';

const SPEEDS = [1, 2, 4, 8, 15, 30, 60, Infinity]; // moves per second
const ANIMATED_UP_TO = 8;

export class Watch {
    #latest = new Latest();
    #table;
    #speed = store.get('speed', 2);
    #rate = {since: 0, moves: 0};
    isRunning = false;

    // `table` is what the watcher plays at: {ask(signal), show(hint), play(direction, animated), isOver(),
    // onStop(error)}.
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
                await this.#oneMove(signal, 1000 / perSecond, perSecond <= ANIMATED_UP_TO);
                this.#countMove();
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

    async #oneMove(signal, interval, animated) {
        if (this.#table.isOver()) return;
        const started = performance.now();
        const hint = await this.#table.ask(signal);
        this.#table.show(hint);
        const wait = interval - (performance.now() - started);
        if (wait > 1) await sleep(wait, signal);
        if (!signal.aborted) this.#table.play(hint.exact?.best ?? hint.best, animated);
    }

    #countMove() {
        this.#rate.moves++;
        const seconds = (performance.now() - this.#rate.since) / 1000;
        if (seconds >= 0.5) {
            byId('watch-rate').textContent =
                `${Math.round(this.#rate.moves / seconds).toLocaleString('en-US')} moves/s`;
            this.#rate = {since: performance.now(), moves: 0};
        }
    }
}
