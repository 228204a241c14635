import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Fields, fieldsOf } from '../../local/json-values.ts';
import type { Session } from '../items.ts';
import { toSession, toStored } from './opencode-messages.ts';
import { type SessionFile, sessionFile } from './session-file.ts';

/** Sessions of OpenCode in its SQLite database. Reads only. Throws on a Node without `node:sqlite`. */
export async function opencodeSessions(file: SessionFile): Promise<Session[]> {
  const { DatabaseSync } = await import('node:sqlite');
  const open = () => new DatabaseSync(file.path, { readOnly: true });
  const database = open();
  try {
    const rows = database
      .prepare(
        'SELECT id, parent_id, directory, time_created, time_updated FROM session ORDER BY time_created',
      )
      .all();
    return rows.map(fieldsOf).map((row) =>
      toSession(file, toStored(row), rows.length, () => {
        const session = open();
        try {
          const parts = Map.groupBy(
            session
              .prepare('SELECT message_id, data FROM part WHERE session_id = ? ORDER BY id')
              .all(String(row['id'])),
            ({ message_id }) => String(message_id),
          );
          const messages = session
            .prepare('SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id')
            .all(String(row['id']));
          return messages.map(({ id, data }) => ({
            ...parseData(data),
            id,
            parts: (parts.get(String(id)) ?? []).map((part) => parseData(part['data'])),
          }));
        } finally {
          session.close();
        }
      }),
    );
  } finally {
    database.close();
  }
}

/** Sessions of older versions: a folder `storage` of JSON files. */
export async function opencodeStorage(storage: string): Promise<Session[]> {
  const paths = await jsonFiles(join(storage, 'session'));
  return Promise.all(
    paths.map(async (path) => {
      const stored = await readJson(path);
      const time = fieldsOf(stored['time']);
      const row = {
        ...stored,
        parent_id: stored['parentID'],
        time_created: time['created'],
        time_updated: time['updated'],
      };
      return toSession(await sessionFile(path), toStored(row), 1, async () => {
        const messages = await readFolder(join(storage, 'message', String(stored['id'])));
        return Promise.all(
          messages.map(async (message) => ({
            ...message,
            parts: await readFolder(join(storage, 'part', String(message['id']))),
          })),
        );
      });
    }),
  );
}

function parseData(data: unknown): Fields {
  try {
    return fieldsOf(JSON.parse(String(data)));
  } catch {
    return {};
  }
}

async function readFolder(folder: string): Promise<Fields[]> {
  const paths = await jsonFiles(folder);
  return Promise.all(paths.map(readJson));
}

async function readJson(path: string): Promise<Fields> {
  return parseData(await readFile(path, 'utf8').catch(() => '{}'));
}

/** Files of JSON below a folder, by name: ids of OpenCode ascend with time. */
async function jsonFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
