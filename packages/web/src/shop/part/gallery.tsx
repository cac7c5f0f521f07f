import { useState, type KeyboardEvent, type ReactNode } from "react";
import { fill } from "../../shared/language.ts";
import { useShop } from "../context.tsx";
import { ownAddress } from "../format.ts";
import { Button } from "../kit/button.tsx";
import { Icon } from "../kit/icon.tsx";
import { CHEVRON_LEFT, CHEVRON_RIGHT, CLOSE, ZOOM } from "../kit/icons/ui.ts";
import { Modal } from "../kit/modal.tsx";
import { Picture } from "../parts/picture.tsx";

interface GalleryProps {
  urls: readonly string[];
  title: string;
}

/** Renders a part's pictures: one large, all of them to choose from, and each as large as the window. */
export function Gallery({ urls, title }: GalleryProps): ReactNode {
  const { texts } = useShop();
  const [current, setCurrent] = useState(0);
  const [isZoomed, setIsZoomed] = useState(false);
  const large = <Picture key={current} url={urls[current]} alt={title} name={title} isEarly size={320} />;
  return (
    <div className="gallery">
      {urls.length > 0 ? (
        // Without a script it opens the picture.
        <a
          className="gallery-large"
          href={ownAddress(urls[current] ?? "")}
          onClick={(event) => {
            event.preventDefault();
            setIsZoomed(true);
          }}
        >
          {large}
          <span className="gallery-zoom">
            <Icon path={ZOOM} label={texts.pictureZoom} />
          </span>
        </a>
      ) : (
        <span className="gallery-large">{large}</span>
      )}
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
      {isZoomed && (
        <Zoom urls={urls} title={title} current={current} onMove={setCurrent} onClose={() => setIsZoomed(false)} />
      )}
    </div>
  );
}

interface ZoomProps extends GalleryProps {
  current: number;
  onMove: (index: number) => void;
  onClose: () => void;
}

/** Renders a picture over the page. Arrow keys move on, Escape closes. */
function Zoom({ urls, title, current, onMove, onClose }: ZoomProps): ReactNode {
  const { texts } = useShop();
  const step = (count: number): void => onMove((current + count + urls.length) % urls.length);
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key === "ArrowRight") step(1);
    if (key === "ArrowLeft") step(-1);
  };
  return (
    <Modal label={title} className="zoom" onClose={onClose} onKeyDown={onKeyDown}>
      <img src={ownAddress(urls[current] ?? "")} alt={title} />
      <Button kind="bare" className="zoom-close" aria-label={texts.close} onClick={onClose}>
        <Icon path={CLOSE} />
      </Button>
      {urls.length > 1 && (
        <div className="zoom-steps">
          <Button kind="bare" aria-label={texts.previous} onClick={() => step(-1)}>
            <Icon path={CHEVRON_LEFT} />
          </Button>
          <span className="number" aria-live="polite">
            {fill(texts.pictureOf, { number: current + 1, count: urls.length })}
          </span>
          <Button kind="bare" aria-label={texts.next} onClick={() => step(1)}>
            <Icon path={CHEVRON_RIGHT} />
          </Button>
        </div>
      )}
    </Modal>
  );
}
