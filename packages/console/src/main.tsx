import { render } from 'preact';
import { App } from './app/app.tsx';
import { listenForKeys } from './keys/use-key.ts';
import { followLinks } from './routing/place.ts';
import { copyStoredText } from './text/copy-stored.ts';

document.addEventListener('click', followLinks);
document.addEventListener('copy', copyStoredText);
listenForKeys();

const root = document.getElementById('console');
if (root !== null) render(<App />, root);
