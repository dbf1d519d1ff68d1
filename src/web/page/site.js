// The API without a server: a Worker with the program compiled to WebAssembly answers in place of HTTP. A page that
// `make site` wrote sets globalThis.afterstateSite; where nobody did, a server answers (api.js).
//
// afterstateSite is {manifest: {networks, tables}, worker: () => Worker, base, data}; site/worker.js tells of the
// messages. siteFetch() takes and gives what fetch() does, so that nothing else need know who answers.

const config = globalThis.afterstateSite;
export const isSite = config !== undefined;
export const siteNetworks = config?.manifest.networks ?? [];

let worker = null;
let nextId = 1;
const newUrl = () => URL.createObjectURL(new Blob(['wanted']));
const waiting = new Map(); // id -> function that takes the Worker's messages

function start() {
    worker = config.worker();
    worker.addEventListener('message', ({data}) => waiting.get(data.id)?.(data));
    worker.addEventListener('error', (event) => {
        const error = event.message || 'the Worker could not be started';
        for (const take of [...waiting.values()]) take({error});
    });
    const {base, manifest, data} = config;
    const wanted = newUrl();
    send({open: {base, manifest, data, wanted}}, ({done, error}) => {
        if (done || error) URL.revokeObjectURL(wanted);
    });
}

// Sends a message whose answers `take` gets, until one says that it is the last.
function send(message, take, transfer = []) {
    if (!worker) start();
    const id = nextId++;
    waiting.set(id, (data) => {
        if (data.done || data.error) waiting.delete(id);
        take(data);
    });
    worker.postMessage({...message, id}, transfer);
    return id;
}

async function bytesOf(body) {
    return body === undefined ? undefined : new Uint8Array(await new Response(body).arrayBuffer());
}

// As fetch(): resolves with a Response as soon as its status is known; its body comes as the Worker writes it.
export async function siteFetch(target, {method = 'GET', body, signal} = {}) {
    const bytes = await bytesOf(body);
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
        const wanted = newUrl(); // revoked when the answer is complete, or given up: the Worker looks
        let writer = null;
        const stream = new ReadableStream({start: (controller) => (writer = controller), cancel: () => end()});
        let isAnswered = false,
            isOver = false;
        const end = () => {
            if (isOver) return;
            isOver = true;
            waiting.delete(id);
            URL.revokeObjectURL(wanted);
            worker.postMessage({id, abort: true});
        };
        const id = send({method, target, body: bytes, wanted}, ({status, chunk, done, error}) => {
            if (isOver) return;
            if (chunk?.length) writer.enqueue(chunk);
            if (status && !isAnswered) resolve(new Response(stream, {status}));
            isAnswered ||= status !== undefined;
            if (done || error) {
                isOver = true;
                URL.revokeObjectURL(wanted);
            }
            if (done) writer.close();
            if (error && isAnswered) writer.error(new TypeError(error));
            else if (error) reject(new TypeError(error));
        });
        signal?.addEventListener(
            'abort',
            () => {
                if (isOver) return;
                end();
                if (isAnswered) writer.error(signal.reason);
                else reject(signal.reason);
            },
            {once: true},
        );
    });
}

// Loads a network of the list, or the bytes of a file; `onProgress({bytes, of})` on the way.
export function loadNetwork(name, bytes, onProgress) {
    return new Promise((resolve, reject) => {
        send({load: name, bytes}, ({loading, done, error}) => {
            if (loading) onProgress(loading);
            if (done) resolve();
            if (error) reject(new Error(error));
        });
    });
}
