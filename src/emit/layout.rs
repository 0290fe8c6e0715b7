//! Nested literals, laid out as formatters leave them: on one line where they fit, else one item a line.

/// How a language is laid out.
#[derive(Clone, Copy)]
pub(super) struct Style {
    /// The longest line, in characters.
    pub(super) width: usize,
    /// What a level is indented by.
    pub(super) indent: usize,
    /// Whether the last of several lines has a comma.
    pub(super) last_comma: bool,
    /// What a comment begins with.
    pub(super) comment: &'static str,
    /// Whether a text that is too long goes to a line of its own, below its key, unless the key is short.
    pub(super) text_below_key: bool,
}

/// A key that is shorter than this keeps its text beside it, as Prettier has it.
const LONG_KEY: usize = 5;

/// A part of a literal.
#[derive(Debug, Clone)]
pub(super) enum Piece {
    /// Never broken.
    Atom(String),
    /// Something in front, such as `id=`.
    After(String, Box<Piece>),
    /// An item below a comment of its own.
    Noted(String, Box<Piece>),
    /// Items between brackets.
    Group(Group),
}

/// Items between brackets.
#[derive(Debug, Clone)]
pub(super) struct Group {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    pub(super) items: Vec<Piece>,
    /// Whether a space stands inside the brackets on one line.
    pub(super) padded: bool,
    pub(super) breaking: Breaking,
}

/// When a group takes more than one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Breaking {
    /// When it does not fit: one item a line.
    IfTooLong,
    /// Always.
    Always,
    /// When it does not fit: as many items a line as fit.
    Fill,
}

impl Piece {
    pub(super) fn atom(text: impl Into<String>) -> Self {
        Self::Atom(text.into())
    }

    pub(super) fn after(front: impl Into<String>, piece: Self) -> Self {
        Self::After(front.into(), Box::new(piece))
    }

    pub(super) fn noted(note: impl Into<String>, piece: Self) -> Self {
        Self::Noted(note.into(), Box::new(piece))
    }

    pub(super) fn group(open: &'static str, items: Vec<Self>, close: &'static str) -> Self {
        Self::Group(Group {
            open,
            close,
            items,
            padded: false,
            breaking: Breaking::IfTooLong,
        })
    }

    /// The same group, broken in another way.
    pub(super) fn breaking(self, breaking: Breaking) -> Self {
        match self {
            Self::Group(group) => Self::Group(Group { breaking, ..group }),
            other @ (Self::Atom(_) | Self::After(..) | Self::Noted(..)) => other,
        }
    }

    /// The same group with spaces inside its brackets.
    pub(super) fn padded(self) -> Self {
        match self {
            Self::Group(group) => Self::Group(Group { padded: true, ..group }),
            other @ (Self::Atom(_) | Self::After(..) | Self::Noted(..)) => other,
        }
    }

    /// The piece on one line, unless it must take several.
    fn flat(&self) -> Option<String> {
        match self {
            Self::Atom(text) => (!text.contains('\n')).then(|| text.clone()),
            Self::After(front, piece) => piece.flat().map(|flat| format!("{front}{flat}")),
            Self::Noted(..) => None,
            Self::Group(group) if group.breaking == Breaking::Always => None,
            Self::Group(group) => {
                let items: Option<Vec<String>> = group.items.iter().map(Self::flat).collect();
                let items = items?.join(", ");
                let pad = if group.padded && !items.is_empty() { " " } else { "" };
                Some([group.open, pad, &items, pad, group.close].concat())
            }
        }
    }
}

impl Style {
    /// Writes a piece where a line has `used` characters already and goes on with `after` characters.
    pub(super) fn write(&self, out: &mut String, piece: &Piece, level: usize, used: usize, after: usize) {
        if let Some(flat) = piece.flat()
            && used + flat.chars().count() + after <= self.width
        {
            out.push_str(&flat);
            return;
        }
        match piece {
            Piece::Atom(text) => out.push_str(text),
            Piece::After(key, piece) if self.is_below(key, piece) => {
                out.push_str(key.trim_end());
                out.push('\n');
                self.start(out, level + 1);
                self.write(out, piece, level + 1, 0, after);
            }
            Piece::After(front, piece) => {
                out.push_str(front);
                self.write(out, piece, level, used + front.chars().count(), after);
            }
            Piece::Noted(_, piece) => self.write(out, piece, level, used, after),
            Piece::Group(group) if group.items.is_empty() => out.push_str(&[group.open, group.close].concat()),
            Piece::Group(group) => {
                out.push_str(group.open);
                out.push('\n');
                if group.breaking == Breaking::Fill {
                    self.fill(out, &group.items, level + 1);
                } else {
                    self.items(out, &group.items, level + 1);
                }
                self.start(out, level);
                out.push_str(group.close);
            }
        }
    }

    fn is_below(&self, key: &str, piece: &Piece) -> bool {
        let is_text = matches!(piece, Piece::Atom(text) if text.starts_with(['"', '\'']));
        self.text_below_key && is_text && key.trim_end_matches(": ").len() >= LONG_KEY
    }

    fn items(&self, out: &mut String, items: &[Piece], level: usize) {
        for (index, item) in items.iter().enumerate() {
            if let Piece::Noted(note, _) = item {
                self.start(out, level);
                out.push_str(self.comment);
                out.push(' ');
                out.push_str(note);
                out.push('\n');
            }
            self.start(out, level);
            self.write(out, item, level, level * self.indent, 1);
            let is_last = index + 1 == items.len();
            out.push_str(if is_last && !self.last_comma { "\n" } else { ",\n" });
        }
    }

    fn fill(&self, out: &mut String, items: &[Piece], level: usize) {
        let mut used = 0;
        for (index, item) in items.iter().enumerate() {
            let is_last = index + 1 == items.len();
            let comma = if is_last && !self.last_comma { "" } else { "," };
            let word = format!("{}{comma}", item.flat().unwrap_or_default());
            let width = word.chars().count();
            if used > 0 && used + 1 + width <= self.width {
                out.push(' ');
                used += 1;
            } else {
                if used > 0 {
                    out.push('\n');
                }
                self.start(out, level);
                used = level * self.indent;
            }
            out.push_str(&word);
            used += width;
        }
        out.push('\n');
    }

    fn start(&self, out: &mut String, level: usize) {
        out.push_str(&" ".repeat(level * self.indent));
    }
}
