// Who answers: the line at the foot of the page. Without a server it also loads other networks.

import {checkHealth, server} from './api.js';
import {announce, byId, element, judgeName} from './dom.js';
import {isSite, loadNetwork, siteNetworks} from './site.js';

const megabytes = (bytes) => `${(bytes / 1e6).toLocaleString('en-US', {maximumFractionDigits: 1})} MB`;

// "the bundled network (4x4), the hand-made value (3x3, 2x3)"
function evaluators(boards) {
    const sizes = new Map();
    for (const {judge, rows, cols} of boards) {
        const name = judgeName(judge);
        sizes.set(name, [...(sizes.get(name) ?? []), `${rows}x${cols}`]);
    }
    return [...sizes].map(([name, list]) => `${name} (${list.join(', ')})`).join(', ');
}

export class Source {
    #isLoading = false;

    constructor() {
        server.addEventListener('change', () => this.#draw());
        byId('network-file').addEventListener('change', async ({target}) => {
            const [file] = target.files;
            target.value = '';
            if (file) await this.#load(file.name, new Uint8Array(await file.arrayBuffer()));
        });
        byId('network-file-field').hidden = !isSite;
        this.#draw();
    }

    #draw() {
        const {health} = server;
        const judges = evaluators(health?.boards ?? []);
        byId('source-text').textContent = !health
            ? isSite
                ? 'Starting the program in this browser …'
                : ''
            : isSite
              ? `This browser answers: afterstate ${health.release} as WebAssembly, nothing leaves this device. Boards are evaluated by ${judges}.`
              : `The server ${location.host} answers: afterstate ${health.release}. Boards are evaluated by ${judges}.`;
        byId('source').dataset.kind = isSite ? 'browser' : 'server';
        const loaded = (health?.boards ?? []).map(({judge}) => judge);
        byId('source-networks').replaceChildren(
            ...siteNetworks
                .filter(({name, onRequest}) => onRequest && health && !loaded.includes(name))
                .map((network) => this.#button(network)),
        );
    }

    #button({name, bytes}) {
        const button = element(
            'button',
            {type: 'button', 'data-network': name, disabled: this.#isLoading},
            `Load ${judgeName(name)} (${megabytes(bytes)})`,
        );
        button.addEventListener('click', () => this.#load(name));
        return button;
    }

    async #load(name, bytes) {
        if (this.#isLoading) return;
        const bar = byId('source-progress');
        this.#isLoading = true;
        this.#draw();
        bar.hidden = false;
        bar.removeAttribute('value');
        byId('source-note').textContent = `Loading ${judgeName(name)} …`;
        try {
            await loadNetwork(name, bytes, ({bytes: n, of}) => {
                bar.max = of;
                bar.value = n;
                byId('source-note').textContent =
                    n < of ? `${megabytes(n)} of ${megabytes(of)}` : 'Checking and unpacking …';
            });
            const title = judgeName(name);
            byId('source-note').textContent = `${title[0].toUpperCase()}${title.slice(1)} is loaded.`;
        } catch (error) {
            byId('source-note').textContent = `Not loaded: ${error.message}`;
        }
        announce(byId('source-note').textContent);
        bar.hidden = true;
        this.#isLoading = false;
        await checkHealth();
        this.#draw();
    }
}
