/** V8 stores an object with numeric keys as an array with a slot for each number, unless this many slots would be unused. */
const longestArrayGap = 1_024;

/**
 * Changes the query graph of a generated Prisma Client, so that a process holds it in 1 MB instead of 8 MB. The client makes an
 * object of each of 1,700 nodes, with a few keys that are indexes in `strings`. Behind 1,024 unused names the indexes are so
 * large that V8 stores each object as a hash table instead of a sparse array. Throws an error if the graph has another format.
 */
export function spreadQueryGraph({ strings, graph }) {
  const reader = readBytes(Buffer.from(graph, 'base64url'));
  const written = [];
  const copyByte = () => written.push(reader.byte());
  const write = (value) => {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) written.push((rest % 128) + 128);
    written.push(rest);
  };
  const copy = () => {
    const value = reader.number();
    write(value);
    return value;
  };
  const copyName = () => write(reader.number() + longestArrayGap);
  /** Zero is no name, and one the first. */
  const copyOptionalName = () => {
    const value = reader.number();
    write(value === 0 ? 0 : value + longestArrayGap);
  };
  const inputEdge = [copyName, copyByte, copyByte, copy, copyOptionalName, copyByte];
  const outputEdge = [copyName, copy, copy];
  const copyEdge = (fields) => {
    for (const copyField of fields) copyField();
  };
  const copyEdges = (fields) => repeat(copy(), () => copyEdge(fields));
  const [inputNodes, outputNodes, roots] = [copy(), copy(), copy()];
  repeat(inputNodes, () => copyEdges(inputEdge));
  repeat(outputNodes, () => copyEdges(outputEdge));
  repeat(roots, () => copyEdge(outputEdge));
  if (!reader.isAtEnd()) throw new Error('The query graph of Prisma Client has another format.');
  const unused = Array.from({ length: longestArrayGap }, () => '');
  return { strings: [...unused, ...strings], graph: Buffer.from(written).toString('base64url') };
}

function repeat(times, work) {
  for (let count = 0; count < times; count += 1) work();
}

function readBytes(bytes) {
  let position = 0;
  const byte = () => {
    if (position === bytes.length) throw new Error('The query graph of Prisma Client ends too early.');
    position += 1;
    return bytes[position - 1];
  };
  return {
    byte,
    /** A number in groups of seven bits, the lowest first. */
    number: () => {
      let value = 0;
      for (let factor = 1; ; factor *= 128) {
        const next = byte();
        value += (next % 128) * factor;
        if (next < 128) return value;
      }
    },
    isAtEnd: () => position === bytes.length,
  };
}
