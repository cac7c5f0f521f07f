export function whenNpmEnds(listener: () => void): () => void;
