// Plugin of OpenCode. `continuity setup opencode` writes this file with the absolute path of the hook program.
import { openCodePlugin } from '../continuity/hooks/continuity-hook.mjs';

export const Continuity = openCodePlugin;
