// The server's API: requests, what it offers, and whether it is there. "Server" is what answers: over HTTP, or a
// Worker in this browser (site.js).
//
// A request fails with an ApiError whose message is for people. Any request that cannot reach the server marks it as
// gone; from then on only /api/health is requested, again and again, until it answers. Listeners hear of both.

import {store} from './dom.js';
import {isSite, siteFetch} from './site.js';

const transport = isSite ? siteFetch : (target, options) => fetch(target, options);

const HEARTBEAT_MS = 10000,
    RECOVERY_MS = 1000;

export class ApiError extends Error {
    constructor(message, status, retrySeconds) {
        super(message);
        this.status = status; // 0: not reached
        this.retrySeconds = retrySeconds;
    }
}

export const isAbort = (error) => error?.name === 'AbortError';

export const server = new EventTarget(); // 'change' when it goes, comes back, or offers something else
server.gone = false;
server.health = null;

function setGone(gone) {
    if (server.gone === gone) return;
    server.gone = gone;
    server.dispatchEvent(new Event('change'));
    schedulePoll();
}

async function send(path, options) {
    try {
        const response = await transport(path, options);
        setGone(false);
        return response;
    } catch (error) {
        if (isAbort(error)) throw error;
        setGone(true);
        throw new ApiError('The server is gone.', 0);
    }
}

async function failure(response) {
    let message = `The server answered ${response.status}.`;
    try {
        message = (await response.json()).error ?? message;
    } catch {
        /* no JSON: the status has to do */
    }
    return new ApiError(message, response.status, Number(response.headers.get('Retry-After')) || 1);
}

const isThere = ([, value]) => value !== undefined;
const queryOf = (parameters) => new URLSearchParams(Object.entries(parameters).filter(isThere)).toString();

// One JSON object. Parameters that are undefined are left out.
export async function ask(path, parameters = {}, signal = undefined) {
    const query = queryOf(parameters);
    const response = await send(query ? `${path}?${query}` : path, {signal});
    if (!response.ok) throw await failure(response);
    try {
        return await response.json();
    } catch (error) {
        if (isAbort(error)) throw error;
        throw new ApiError('The server broke off its answer.', 0);
    }
}

// Posts a body for a file.
export async function fetchFile(path, body) {
    const response = await send(path, {method: 'POST', body});
    if (!response.ok) throw await failure(response);
    return response.blob();
}

// Asks (or posts, where there is a body) and hands each line of the answer, an object, to `onLine`.
export async function stream(path, parameters, {body, signal}, onLine) {
    const query = queryOf(parameters);
    const response = await send(`${path}?${query}`, {method: body === undefined ? 'GET' : 'POST', body, signal});
    if (!response.ok) throw await failure(response);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    try {
        for (;;) {
            const {value, done} = await reader.read().catch((error) => {
                throw isAbort(error) ? error : new ApiError('The server broke off its answer.', 0);
            });
            if (done) return;
            const lines = (rest + value).split('\n');
            rest = lines.pop();
            for (const line of lines) onLine(JSON.parse(line));
        }
    } finally {
        reader.cancel().catch(() => {}); // what is not read any more need not be computed
    }
}

// Runs one job at a time: a new one aborts the old one, whose result is forgotten.
export class Latest {
    #controller = null;

    abort() {
        this.#controller?.abort();
        this.#controller = null;
    }

    // The job's result, or undefined if a later job took its place.
    async run(job) {
        this.abort();
        const controller = (this.#controller = new AbortController());
        try {
            const result = await job(controller.signal);
            return controller.signal.aborted ? undefined : result;
        } catch (error) {
            if (controller.signal.aborted || isAbort(error)) return undefined;
            throw error;
        } finally {
            if (this.#controller === controller) this.#controller = null;
        }
    }
}

export function sleep(ms, signal) {
    return new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, ms);
        signal?.addEventListener(
            'abort',
            () => {
                clearTimeout(timer);
                reject(signal.reason);
            },
            {once: true},
        );
    });
}

let timer = 0;
function schedulePoll() {
    clearTimeout(timer);
    timer = setTimeout(checkHealth, server.gone ? RECOVERY_MS : HEARTBEAT_MS);
}

export async function checkHealth() {
    try {
        const health = await ask('/api/health');
        const changed = JSON.stringify(health.boards) !== JSON.stringify(server.health?.boards);
        server.health = health;
        if (changed) server.dispatchEvent(new Event('change'));
    } catch {
        /* setGone() has reported it; other failures are tried again */
    }
    schedulePoll();
}

// The evaluators of boards of that size, the one that answers unless another is asked for first.
export const evaluatorsOf = (board) =>
    server.health?.boards.filter(({rows, cols}) => rows === board.rows && cols === board.cols) ?? [];

export const offered = (board) => evaluatorsOf(board)[0] ?? null;

// The evaluator that the person chose; undefined where the first one answers.
export function chosenJudge(board) {
    const wanted = store.get('judge', null);
    return evaluatorsOf(board)
        .slice(1)
        .find(({judge}) => judge === wanted)?.judge;
}
