import "./theme.css";

import { render } from "preact";

import { Shell } from "./app/shell";

const place = document.getElementById("page");
if (place !== null) render(<Shell />, place);
