//! Messages as ProtoJSON, by the descriptors of the contract.

use std::sync::LazyLock;

use prost::Message;
use prost::bytes::Buf;
use prost_reflect::{
    DescriptorPool, DynamicMessage, MessageDescriptor, MethodDescriptor, SerializeOptions,
};
use serde_json::Value;
use taflhall::BoxError;

static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| {
    DescriptorPool::decode(taflhall::DESCRIPTORS).expect("the descriptors are those of protoc")
});

/// Returns the method of that full name.
pub fn method(name: &str) -> Result<MethodDescriptor, BoxError> {
    let (service, method) = name
        .split_once('/')
        .ok_or("that is not the name of a method")?;
    let service = POOL
        .get_service_by_name(service)
        .ok_or("there is no such service")?;
    let found = service.methods().find(|found| found.name() == method);
    found.ok_or_else(|| "there is no such method".into())
}

/// Returns the bytes of a message that is given in ProtoJSON.
pub fn encoded(kind: MessageDescriptor, json: &Value) -> Result<Vec<u8>, BoxError> {
    Ok(DynamicMessage::deserialize(kind, json)?.encode_to_vec())
}

/// Returns a message of the contract that is given in ProtoJSON, by its name below `taflhall`.
pub fn typed<M: Message + Default>(name: &str, json: &Value) -> Result<M, BoxError> {
    let kind = POOL.get_message_by_name(&format!("taflhall.{name}"));
    let bytes = encoded(kind.ok_or("there is no such message")?, json)?;
    Ok(M::decode(bytes.as_slice())?)
}

/// Returns the ProtoJSON of a message.
pub fn decoded(kind: MessageDescriptor, bytes: impl Buf) -> Result<Value, BoxError> {
    let message = DynamicMessage::decode(kind, bytes)?;
    let options = SerializeOptions::new();
    Ok(message.serialize_with_options(serde_json::value::Serializer, &options)?)
}
