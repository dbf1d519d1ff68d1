// Writes the page that needs no server: a folder for any static host, and one self-contained file.
//
// usage: node site/make_site.js OUT MODULE_DIR [--network NAME=FILE ..] [--on-request NAME=FILE ..]
//                               [--table NAME=DIR ..]
//
// Networks are there from the beginning (and inside the one file), or loaded when the person wants them.

import {createHash} from 'node:crypto';
import {cpSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {basename, dirname, join, relative} from 'node:path';
import {fileURLToPath} from 'node:url';

import {bundle} from './bundle.js';

const here = dirname(fileURLToPath(import.meta.url));
const page = join(here, '../src/web/page');
const [out, moduleFolder, ...options] = process.argv.slice(2);

function valuesOf(name) {
    return options.flatMap((option, i) => {
        if (option !== name) return [];
        const [key, ...rest] = options[i + 1].split('=');
        return [{name: key, path: rest.join('=')}];
    });
}

const filesBelow = (folder) =>
    readdirSync(folder, {recursive: true}).filter((file) => statSync(join(folder, file)).isFile());

function networkEntry({name, path}, onRequest) {
    const data = readFileSync(path);
    const file = `${name.replaceAll(/[^a-z0-9]/gi, '-')}.net`;
    writeFileSync(join(out, file), data);
    return {name, file, bytes: data.length, sha256: createHash('sha256').update(data).digest('hex'), onRequest, keep: onRequest};
}

function tableEntry({name, path}) {
    const folder = `tables/${basename(name)}`;
    cpSync(path, join(out, folder), {recursive: true});
    return {name, folder, files: filesBelow(path)};
}

const json = (value) => JSON.stringify(value).replaceAll('<', '\\u003c');
const script = (text, attributes = '') => `<script${attributes}>${text.replaceAll('</script', '<\\/script')}</script>`;
const base64 = (data) => Buffer.from(data).toString('base64');

rmSync(out, {recursive: true, force: true});
mkdirSync(out, {recursive: true});
for (const file of readdirSync(page)) if (!file.startsWith('.')) cpSync(join(page, file), join(out, file));
cpSync(join(moduleFolder, 'afterstate.wasm'), join(out, 'afterstate.wasm'));
const manifest = {
    networks: [
        ...valuesOf('--network').map((network) => networkEntry(network, false)),
        ...valuesOf('--on-request').map((network) => networkEntry(network, true)),
    ],
    tables: valuesOf('--table').map(tableEntry),
};
const glue = readFileSync(join(moduleFolder, 'afterstate.js'), 'utf8');
const workerSource = `${glue}\n${readFileSync(join(here, 'worker.js'), 'utf8')}`;
writeFileSync(join(out, 'worker.js'), workerSource);

const index = readFileSync(join(page, 'index.html'), 'utf8');
const mark = '<script type="module" src="app.js"></script>';
const noServer = index.replace(/comes from this server and nowhere else/, 'is all in it');
const replaceOnce = (text, old, fresh) => {
    if (!text.includes(old)) throw new Error(`index.html has no ${old}`);
    return text.replace(old, () => fresh);
};

// The folder.
writeFileSync(
    join(out, 'index.html'),
    replaceOnce(
        noServer,
        mark,
        `${script(`globalThis.afterstateSite = {base: new URL('.', location.href).href, manifest: ${json(manifest)}, ` +
            `worker: () => new Worker('worker.js')};`)}\n${mark}`,
    ),
);

// The one file: what is loaded at the start is inside; nothing is loaded later, since a file has no host.
const inside = manifest.networks.filter(({onRequest}) => !onRequest);
const embedded = {};
for (const {file} of inside) embedded[file] = base64(readFileSync(join(out, file)));
for (const {folder, files} of manifest.tables)
    for (const file of files) embedded[`${folder}/${file}`] = base64(readFileSync(join(out, folder, file)));
const start = `
const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const files = JSON.parse(document.getElementById('embedded').textContent);
const data = {
    wasm: bytesOf(document.getElementById('wasm').textContent),
    files: Object.fromEntries(Object.entries(files).map(([name, text]) => [name, bytesOf(text)])),
};
globalThis.afterstateSite = {
    base: location.href,
    manifest: ${json({networks: inside, tables: manifest.tables})},
    data,
    worker: () => {
        const source = document.getElementById('worker-source').textContent.replaceAll('<\\\\/script', '</' + 'script');
        return new Worker(URL.createObjectURL(new Blob([source], {type: 'text/javascript'})));
    },
};
${bundle(page, 'app.js')}`;
let whole = noServer;
for (const name of ['style.css', 'tiles.css'])
    whole = replaceOnce(
        whole,
        `<link rel="stylesheet" href="${name}">`,
        `<style>\n${readFileSync(join(page, name), 'utf8')}</style>`,
    );
whole = whole.replaceAll('"icon.svg"', `"data:image/svg+xml;base64,${base64(readFileSync(join(page, 'icon.svg')))}"`);
whole = replaceOnce(whole, mark, '');
whole = replaceOnce(
    whole,
    '</body>',
    [
        script(workerSource, ' type="text/plain" id="worker-source"'),
        script(base64(readFileSync(join(out, 'afterstate.wasm'))), ' type="text/plain" id="wasm"'),
        script(json(embedded), ' type="application/json" id="embedded"'),
        script(start),
        '</body>',
    ].join('\n'),
);
writeFileSync(join(out, 'afterstate.html'), whole);
console.log(`${relative('.', out)}: index.html for a host, afterstate.html (${(whole.length / 1e6).toFixed(1)} MB) for anywhere`);
