import { useState, type ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { useShop } from "../context.tsx";
import { Picture } from "./picture.tsx";

/** A part's pictures: one large, and all of them to choose from. */
export function Pictures({ urls, title }: { urls: readonly string[]; title: string }): ReactNode {
  const { texts } = useShop();
  const [shown, setShown] = useState(0);
  return (
    <div>
      <Picture key={shown} url={urls[shown]} alt={title} isEarly size={320} />
      {urls.length > 1 && (
        <ul className="pictures">
          {urls.map((url, at) => (
            <li key={at}>
              <button
                aria-pressed={at === shown}
                aria-label={fill(texts.pictureOf, { number: at + 1, count: urls.length })}
                onClick={() => setShown(at)}
              >
                <Picture url={url} alt="" size={64} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
