import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of an archive. Fields that are left out are as a well-behaved tool writes them. */
export interface ZipEntry {
  /** Bytes, or text that is written as UTF-8. */
  name: string | Buffer;
  content?: string | Buffer;
  /** 0 (stored, the default) or 8 (deflate), or another number for content that is written as it is. */
  method?: number;
  /** Unix mode with the file type; 0o100644 if left out, 0o040755 for a name that ends with a slash. */
  mode?: number;
  /** Overrides fields of the directory record. */
  directory?: Partial<ZipFields>;
  /** Overrides fields of the local header. */
  local?: Partial<ZipFields>;
  /** Bytes between the local header and the next entry, instead of the content in its compressed form. */
  raw?: Buffer;
  /** Declared offset of the local header. */
  offset?: number;
}

interface ZipFields {
  name: Buffer;
  flags: number;
  method: number;
  time: number;
  crc: number;
  compressedSize: number;
  size: number;
  extra: Buffer;
  comment: Buffer;
  disk: number;
}

export interface ZipOptions {
  /** Bytes before the first entry. */
  prefix?: Buffer;
  /** Bytes between the directory and the end record. */
  beforeEnd?: Buffer;
  /** Bytes after the last entry. */
  afterEntries?: Buffer;
  comment?: Buffer;
  /** Overrides fields of the end record. */
  end?: Partial<{
    disk: number;
    countHere: number;
    count: number;
    directorySize: number;
    directoryOffset: number;
  }>;
}

const regular = 0o100644;
const directory = 0o040755;

/** Writes a ZIP archive byte by byte, valid or not, for tests of what refuses archives. */
export function zip(entries: readonly ZipEntry[], options: ZipOptions = {}): Buffer {
  const { prefix = Buffer.alloc(0), beforeEnd = Buffer.alloc(0), comment = Buffer.alloc(0) } = options;
  const parts: Buffer[] = [prefix];
  const records: Buffer[] = [];
  let offset = prefix.length;
  for (const entry of entries) {
    const { fields, body } = prepare(entry);
    const local = localHeader({ ...fields, ...entry.local });
    records.push(directoryRecord({ ...fields, ...entry.directory }, modeOf(entry), entry.offset ?? offset));
    parts.push(local, body);
    offset += local.length + body.length;
  }
  parts.push(options.afterEntries ?? Buffer.alloc(0));
  const start = parts.reduce((sum, { length }) => sum + length, 0);
  const size = records.reduce((sum, { length }) => sum + length, 0);
  const end = Buffer.alloc(22);
  const { disk = 0, count = entries.length, countHere = count, directorySize = size } = options.end ?? {};
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(disk, 4);
  end.writeUInt16LE(countHere, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directorySize, 12);
  end.writeUInt32LE(options.end?.directoryOffset ?? start, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...parts, ...records, beforeEnd, end, comment]);
}

/** An extra field of a record. */
export function extraField(id: number, data: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(id, 0);
  head.writeUInt16LE(data.length, 2);
  return Buffer.concat([head, data]);
}

function prepare(entry: ZipEntry): { fields: ZipFields; body: Buffer } {
  const content = Buffer.from(entry.content ?? '');
  const method = entry.method ?? 0;
  const body = entry.raw ?? (method === 8 ? deflateRawSync(content) : content);
  const fields = {
    name: Buffer.from(entry.name),
    flags: 0x0800,
    method,
    time: 0,
    crc: crc32(content),
    compressedSize: body.length,
    size: content.length,
    extra: Buffer.alloc(0),
    comment: Buffer.alloc(0),
    disk: 0,
  };
  return { fields, body };
}

function modeOf({ name, mode }: ZipEntry): number {
  return mode ?? (Buffer.from(name).at(-1) === 0x2f ? directory : regular);
}

function localHeader(fields: ZipFields): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  writeSharedFields(header, 6, fields);
  return Buffer.concat([header, fields.name, fields.extra]);
}

function directoryRecord(fields: ZipFields, mode: number, offset: number): Buffer {
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(0x0314, 4);
  record.writeUInt16LE(20, 6);
  writeSharedFields(record, 8, fields);
  record.writeUInt16LE(fields.comment.length, 32);
  record.writeUInt16LE(fields.disk, 34);
  record.writeUInt32LE((mode << 16) >>> 0, 38);
  record.writeUInt32LE(offset, 42);
  return Buffer.concat([record, fields.name, fields.extra, fields.comment]);
}

function writeSharedFields(header: Buffer, at: number, fields: ZipFields): void {
  header.writeUInt16LE(fields.flags, at);
  header.writeUInt16LE(fields.method, at + 2);
  header.writeUInt16LE(fields.time, at + 4);
  header.writeUInt16LE(0x0021, at + 6);
  header.writeUInt32LE(fields.crc, at + 8);
  header.writeUInt32LE(fields.compressedSize, at + 12);
  header.writeUInt32LE(fields.size, at + 16);
  header.writeUInt16LE(fields.name.length, at + 20);
  header.writeUInt16LE(fields.extra.length, at + 22);
}
