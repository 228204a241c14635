import type { FolderScopes } from '../local/folder-scope.ts';
import { boundedScope } from '../local/folder-scope.ts';
import type { Session } from './items.ts';

/** Chooses the Scope of what is imported (spec 70 §2.6, §3.2). */
export class ScopeRules {
  /** `--scope`: of everything. */
  readonly explicit: string | undefined;
  /** Of an environment variable or a profile: in place of that of a folder. */
  readonly #chosen: string | undefined;
  readonly #folders: FolderScopes;

  constructor(folders: FolderScopes, explicit: string | undefined, chosen: string | undefined) {
    this.explicit = explicit;
    this.#chosen = chosen;
    this.#folders = folders;
  }

  /** The Scope of a folder; undefined for a folder without a name. */
  ofFolder(folder: string): string | undefined {
    return this.explicit ?? this.#chosen ?? this.#folders.scopeOf(folder);
  }

  /** The Scope of most of a session; empty for lines that must name their own. */
  ofSession({ format, scope, directory }: Session): string {
    if (this.explicit !== undefined) return this.explicit;
    if (scope !== null) return boundedScope(scope);
    if (format === 'ndjson') return '';
    return (directory === null ? this.#chosen : this.ofFolder(directory)) ?? `chats:${format}`;
  }

  /** The Scope of a turn: that of its folder, which may change within a session. */
  ofTurn(session: Session, directory: string | null): string {
    const own = session.scope === null && directory !== null ? this.ofFolder(directory) : undefined;
    return own ?? this.ofSession(session);
  }

  /** The Scope of an item that may name its own; empty without one. */
  ofItem(session: Session, own: string | null): string {
    return boundedScope(this.explicit ?? own ?? this.ofSession(session));
  }
}
