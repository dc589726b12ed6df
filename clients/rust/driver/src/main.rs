//! Lets `taflhall conformance client` call the Rust client: it reads operations from standard input
//! and reports on standard output. See docs/writing-a-client.md.

mod arguments;
mod bench;
mod operations;
mod protojson;
mod tournaments;

use std::collections::HashMap;
use std::io::Write;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use taflhall::{BoxError, Client, Error};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::sync::oneshot;

use crate::arguments::Arguments;
use crate::operations::{OPERATIONS, operate};

/// What all operations share.
#[derive(Default)]
struct Driver {
    clients: Mutex<HashMap<String, Client>>,
    /// Dropping the sender of an operation cancels it.
    running: Mutex<HashMap<u64, oneshot::Sender<()>>>,
}

impl Driver {
    fn client(&self, given: &Arguments) -> Result<Client, BoxError> {
        let clients = self.clients.lock().unwrap();
        Ok(clients
            .get(&given.client)
            .ok_or("there is no such client")?
            .clone())
    }

    async fn carry_out(&self, given: Arguments, cancelled: oneshot::Receiver<()>) {
        let id = given.id;
        let tell = move |event: Value| say(&json!({"id": id, "event": event}));
        let outcome = tokio::select! {
            outcome = operate(self, &given, &tell) => outcome,
            _ = cancelled => {
                let error = json!({"reason": "CANCELLED", "message": "cancelled", "uncertain": true});
                return say(&json!({"id": id, "error": error}));
            }
        };
        self.running.lock().unwrap().remove(&id);
        match outcome {
            Ok(result) => say(&json!({"id": id, "result": result})),
            Err(fault) => say(&json!({"id": id, "error": error_of(fault.as_ref())})),
        }
    }
}

/// Writes a line to standard output.
fn say(line: &Value) {
    let mut out = std::io::stdout().lock();
    // if nobody reads any more, the driver is about to be ended
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

fn error_of(fault: &(dyn std::error::Error + Send + Sync + 'static)) -> Value {
    let Some(error) = fault.downcast_ref::<Error>() else {
        return json!({"reason": "CLIENT", "message": fault.to_string(), "uncertain": false});
    };
    let violations = error.violations().iter();
    let violations = violations.map(|v| json!({"field": v.field, "code": v.code}));
    json!({
        "reason": error.reason().name(),
        "message": error.message(),
        "metadata": error.metadata(),
        "uncertain": error.is_uncertain(),
        "retry_after": error.retry_after().unwrap_or_default().as_secs_f64(),
        "violations": violations.collect::<Value>(),
    })
}

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let driver = Arc::new(Driver::default());
    say(&json!({"protocol": 1, "client": "taflhall-rust", "operations": OPERATIONS}));
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while let Some(line) = lines.next_line().await? {
        let given: Arguments = serde_json::from_str(&line)?;
        let (running, cancelled) = oneshot::channel();
        driver.running.lock().unwrap().insert(given.id, running);
        let driver = driver.clone();
        tokio::spawn(async move { driver.carry_out(given, cancelled).await });
    }
    Ok(())
}
