// The Worker that answers the API without a server: the WebAssembly module (site/module.c), the networks and tables
// that site.json names, and messages in place of HTTP.
//
// From the page: {id, method, target, body, wanted}: a request; {id, abort: true}: its answer is not wanted any more;
// {id, load: name, bytes}: load a network of the list, or these bytes. To the page: {id, status, chunk} as often as there
// is something, {id, done: true} at the end; {id, loading: {bytes, of}} on the way, {id, error}.
//
// Requests are answered one at a time, streams in pieces between which the others have their turn. A Worker that computes
// gets no messages, so a search asks whether it is still wanted: `wanted` is a URL that the page made for the request and
// revokes when it gives the request up.

/* global createAfterstate */

let site = null; // {module, handle, manifest, base}
let loaded = null; // the promise of that
const streams = new Map(); // id -> {request, wanted}
let current = null; // {wanted, asked}: the request that is worked on
let canAsk = false; // whether this Worker can read such URLs: not that of a page from disk (Chromium)
let embedded = null; // {wasm, files: {name: bytes}} in the self-contained page

const withText = (module, texts, job) => {
    const pointers = texts.map((text) => {
        const bytes = module.lengthBytesUTF8(text) + 1;
        const pointer = module._malloc(bytes);
        module.stringToUTF8(text, pointer, bytes);
        return pointer;
    });
    try {
        return job(...pointers);
    } finally {
        pointers.forEach((pointer) => module._free(pointer));
    }
};

function check(module, status) {
    if (status !== 0) throw new Error(module.UTF8ToString(module._site_message()));
}

// The bytes of a file, with its progress.
async function download(url, onProgress) {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: the host answered ${response.status}`);
    const of = Number(response.headers.get('Content-Length')) || 0;
    const parts = [];
    let bytes = 0;
    for (const reader = response.body.getReader(); ; ) {
        const {value, done} = await reader.read();
        if (done) break;
        parts.push(value);
        bytes += value.length;
        onProgress?.({bytes, of: Math.max(of, bytes)});
    }
    const all = new Uint8Array(bytes);
    let at = 0;
    for (const part of parts) {
        all.set(part, at);
        at += part.length;
    }
    return all;
}

function isThere(url) {
    const request = new XMLHttpRequest();
    try {
        request.open('GET', url, false);
        request.send();
        return request.status === 200;
    } catch {
        return false;
    }
}

// The program calls this in the midst of a search, often.
const ASK_EVERY_MS = 20;
function isUnwanted() {
    const now = performance.now();
    if (!canAsk || !current?.wanted || now - current.asked < ASK_EVERY_MS) return false;
    current.asked = now;
    return !isThere(current.wanted);
}

function workFor(wanted, job) {
    current = {wanted, asked: -Infinity};
    try {
        return job();
    } finally {
        current = null;
    }
}

async function sha256(bytes) {
    if (!globalThis.crypto?.subtle) return null; // not in a secure context: the file's own checksums must do
    const digest = await crypto.subtle.digest('SHA-256', bytes);
    return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

// A file of the site: embedded, from the browser's cache, or from the host. What the manifest has a checksum of is
// checked, and kept if it is large.
async function fileBytes({file, sha256: expected, keep}, base, onProgress) {
    if (embedded?.files[file]) return embedded.files[file];
    const url = new URL(file, base).href;
    const cache = keep && globalThis.caches ? await caches.open('afterstate').catch(() => null) : null;
    const key = `${url}?${expected}`;
    const kept = await cache?.match(key);
    if (kept) return new Uint8Array(await kept.arrayBuffer());
    const bytes = await download(url, onProgress);
    const actual = expected ? await sha256(bytes) : null;
    if (actual !== null && actual !== expected) throw new Error(`${file} is damaged: its checksum is not the expected one`);
    await cache?.put(key, new Response(bytes)).catch(() => {}); // no room: it is loaded again the next time
    return bytes;
}

async function addNetwork({module, handle, base}, network, onProgress, given = null) {
    const bytes = given ?? (await fileBytes(network, base, onProgress));
    const data = module._malloc(bytes.length);
    if (data === 0) throw new Error(`no memory for ${network.file}`);
    module.HEAPU8.set(bytes, data);
    try {
        check(
            module,
            withText(module, [network.name], (name) => module._site_add_network(handle, name, data, bytes.length)),
        );
    } finally {
        module._free(data);
    }
}

async function addTable({module, handle, base}, table) {
    const folder = `/tables/${table.name}`;
    module.FS.mkdirTree(folder);
    for (const file of table.files) {
        const bytes = await fileBytes({file: `${table.folder}/${file}`}, base);
        module.FS.mkdirTree(`${folder}/${file}`.replace(/\/[^/]*$/, ''));
        module.FS.writeFile(`${folder}/${file}`, bytes);
    }
    check(
        module,
        withText(module, [folder], (path) => module._site_add_table(handle, path)),
    );
}

async function open({base, manifest, data, wanted}) {
    embedded = data ?? null;
    canAsk = isThere(wanted);
    const wasmBinary = embedded?.wasm ?? (await download(new URL('afterstate.wasm', base).href));
    const module = await createAfterstate({wasmBinary, isUnwanted});
    site = {module, handle: module._site_create(canAsk ? 1 : 0), base, manifest};
    for (const network of manifest.networks) if (!network.onRequest) await addNetwork(site, network);
    for (const table of manifest.tables) await addTable(site, table);
    check(module, module._site_start(site.handle));
}

// Loads a network on request, when no stream is open: they hold what would go away.
async function load(id, name, bytes) {
    const network = bytes ? {name, file: name} : site.manifest.networks.find((one) => one.name === name);
    await addNetwork(site, network, (loading) => postMessage({id, loading}), bytes);
    for (const {request} of streams.values()) site.module._site_request_free(request);
    streams.clear();
    check(site.module, site.module._site_start(site.handle));
    postMessage({id, done: true});
}

function chunkOf(request) {
    const {module} = site;
    const data = module._site_request_data(request),
        bytes = module._site_request_bytes(request);
    return module.HEAPU8.slice(data, data + bytes);
}

function answer({id, method, target, body, wanted}) {
    const {module, handle} = site;
    const bytes = body ?? new Uint8Array(0);
    const data = module._malloc(Math.max(1, bytes.length));
    module.HEAPU8.set(bytes, data);
    const request = withText(module, [method, target], (first, second) =>
        workFor(wanted, () => module._site_request(handle, first, second, data, bytes.length)),
    );
    module._free(data);
    if (request === 0) throw new Error('no memory');
    const status = module._site_request_code(request);
    const isStream = status < 400 && /^\/api\/(review|watch|outlook)/.test(target);
    postMessage({id, status, chunk: chunkOf(request)});
    if (isStream) {
        streams.set(id, {request, wanted});
        setTimeout(() => proceed(id), 0);
    } else {
        module._site_request_free(request);
        postMessage({id, done: true});
    }
}

// The next lines of a stream, if it still is one.
function proceed(id) {
    const {module} = site;
    if (!streams.has(id)) return;
    const {request, wanted} = streams.get(id);
    const hasMore = workFor(wanted, () => module._site_request_more(request)) !== 0;
    const status = module._site_request_code(request);
    if (hasMore && status < 400) {
        postMessage({id, status, chunk: chunkOf(request)});
        setTimeout(() => proceed(id), 0);
        return;
    }
    streams.delete(id);
    module._site_request_free(request);
    postMessage(hasMore ? {id, error: 'the work was given up'} : {id, done: true});
}

async function handle(message) {
    if (message.open) loaded = open(message.open);
    await loaded;
    if (message.open) postMessage({id: message.id, done: true});
    else if (message.abort) {
        if (streams.has(message.id)) site.module._site_request_free(streams.get(message.id).request);
        streams.delete(message.id);
    } else if (message.load) await load(message.id, message.load, message.bytes);
    else answer(message);
}

addEventListener('message', ({data}) =>
    handle(data).catch((error) => postMessage({id: data.id, error: error.message ?? String(error)})),
);
