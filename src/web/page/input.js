// What a person does to play: keys and swipes, turned into names.

const SWIPE_PIXELS = 22;

export const MOVE_KEYS = {
    ArrowUp: 'up',
    ArrowRight: 'right',
    ArrowDown: 'down',
    ArrowLeft: 'left',
    w: 'up',
    d: 'right',
    s: 'down',
    a: 'left',
    W: 'up',
    D: 'right',
    S: 'down',
    A: 'left',
};

// Does this element want the key itself? Text fields and choices want all of them, sliders and radio buttons those that
// move them, boxes and buttons the space.
export function wantsKey(target, key) {
    if (
        target.closest('dialog') ||
        target.matches('textarea, select, input:not([type=range], [type=radio], [type=checkbox])')
    )
        return true;
    if (target.matches('[type=range], [type=radio]')) return /^(Arrow|Home|End|Page| )/.test(key);
    return target.matches('button, a, [type=checkbox]') && (key === ' ' || key === 'Enter');
}

// Calls `onSwipe(direction)` once for each stroke over the element, as soon as it is long enough.
export function listenToSwipes(root, onSwipe) {
    let start = null;
    root.addEventListener('pointerdown', (event) => {
        start = event.isPrimary && event.button === 0 ? {x: event.clientX, y: event.clientY} : null;
    });
    root.addEventListener('pointermove', (event) => {
        if (!start || !event.isPrimary) return;
        const x = event.clientX - start.x,
            y = event.clientY - start.y;
        if (Math.max(Math.abs(x), Math.abs(y)) < SWIPE_PIXELS) return;
        start = null;
        onSwipe(Math.abs(x) > Math.abs(y) ? (x > 0 ? 'right' : 'left') : y > 0 ? 'down' : 'up');
    });
    for (const name of ['pointerup', 'pointercancel'])
        addEventListener(name, () => {
            start = null;
        });
}
