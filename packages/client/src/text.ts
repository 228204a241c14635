// `@continuity/client/text`: what the service accepts of a text. Apart from the main entry, which loads nothing of the contract.
export { toStorableText } from '@continuity/contract/storable-text';
