import { useState, type ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { useShop } from "../context.tsx";
import { Picture } from "./picture.tsx";

/** A part's pictures: one large, and all of them to choose from. */
export function Pictures({ urls, title }: { urls: readonly string[]; title: string }): ReactNode {
  const { texts } = useShop();
  const [current, setCurrent] = useState(0);
  return (
    <div>
      <Picture key={current} url={urls[current]} alt={title} isEarly size={320} />
      {urls.length > 1 && (
        <ul className="pictures">
          {urls.map((url, index) => (
            <li key={index}>
              <button
                aria-pressed={index === current}
                aria-label={fill(texts.pictureOf, { number: index + 1, count: urls.length })}
                onClick={() => setCurrent(index)}
              >
                <Picture url={url} alt="" name={title} size={64} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
