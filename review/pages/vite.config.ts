import { defineConfig } from "vitest/config";

export default defineConfig({
  appType: "mpa",
  build: {
    target: "es2022",
    // The files are read by whoever hosts Viva; a map costs nothing until the developer tools ask for it.
    sourcemap: true,
    // livekit-client alone is about 500 kB; only the room's page loads it.
    chunkSizeWarningLimit: 700,
    rolldownOptions: { input: ["index.html", "room.html", "replay.html", "monitor.html"] },
  },
  test: { include: ["tests/**/*.test.ts"] },
});
