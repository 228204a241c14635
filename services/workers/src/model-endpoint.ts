export { generationEndpoint as modelEndpoint } from '@continuity/shared/inference';
