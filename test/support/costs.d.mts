export function measureCosts(): { seconds: number; childSeconds: number };
