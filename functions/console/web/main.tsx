import { render } from 'preact';
import { App } from './app.tsx';
import './styles.css';

const app = document.getElementById('app');
if (app !== null) render(<App />, app);
