//! Archives made here byte by byte, after the format's specification; `.ci/zim` makes one with Debian's own tools.

use std::fs;
use std::path::PathBuf;

use md5::{Digest, Md5};

use crate::corpus::{Document, MetadataValue, ReadOptions, ReadProblem, ReadSummary, read_paths};

struct Item {
    namespace: u8,
    path: &'static str,
    title: &'static str,
    /// `None` for a redirect to the first entry.
    content: Option<(u16, Vec<u8>)>,
}

fn item(namespace: u8, path: &'static str, title: &'static str, kind: u16, content: &[u8]) -> Item {
    Item { namespace, path, title, content: Some((kind, content.to_vec())) }
}

/// How clusters are compressed.
#[derive(Clone, Copy, PartialEq)]
enum Packing {
    None,
    Zstd,
    Xz,
}

/// An XZ stream of "LZMA2 without compression" chunks, written by hand: no encoder is among our crates.
fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut crc_table = [0u32; 256];
    for (index, entry) in (0u32..).zip(crc_table.iter_mut()) {
        *entry = (0..8).fold(index, |value, _| if value & 1 == 1 { 0xedb8_8320 ^ (value >> 1) } else { value >> 1 });
    }
    let crc = |bytes: &[u8]| {
        !bytes.iter().fold(!0u32, |crc, byte| crc_table[((crc ^ u32::from(*byte)) & 255) as usize] ^ (crc >> 8))
    };
    let mut out = b"\xfd7zXZ\0\0\x01".to_vec();
    out.extend(crc(&[0, 1]).to_le_bytes());
    let header = [2u8, 0, 0x21, 1, 22, 0, 0, 0];
    let block_start = out.len();
    out.extend(header);
    out.extend(crc(&header).to_le_bytes());
    for (index, chunk) in bytes.chunks(1 << 16).enumerate() {
        out.push(if index == 0 { 1 } else { 2 });
        out.extend(u16::try_from(chunk.len() - 1).unwrap().to_be_bytes());
        out.extend(chunk);
    }
    out.push(0);
    let unpadded = out.len() - block_start + 4;
    while !(out.len() - block_start).is_multiple_of(4) {
        out.push(0);
    }
    out.extend(crc(bytes).to_le_bytes());
    let variable = |mut value: usize| {
        let mut bytes = Vec::new();
        while value >= 128 {
            bytes.push(u8::try_from(value & 127).unwrap() | 128);
            value >>= 7;
        }
        bytes.push(u8::try_from(value).unwrap());
        bytes
    };
    let mut index = vec![0, 1];
    index.extend(variable(unpadded));
    index.extend(variable(bytes.len()));
    while !index.len().is_multiple_of(4) {
        index.push(0);
    }
    let index_crc = crc(&index);
    out.extend(&index);
    out.extend(index_crc.to_le_bytes());
    let mut footer = u32::try_from((index.len() + 4) / 4 - 1).unwrap().to_le_bytes().to_vec();
    footer.extend([0, 1]);
    out.extend(crc(&footer).to_le_bytes());
    out.extend(footer);
    out.extend(b"YZ");
    out
}

fn archive(items: &[Item], packing: Packing) -> Vec<u8> {
    let kinds = b"text/html\0image/png\0text/plain\0\0";
    let blobs: Vec<&[u8]> = items.iter().filter_map(|item| Some(item.content.as_ref()?.1.as_slice())).collect();
    let mut data = Vec::new();
    let mut offset = u32::try_from((blobs.len() + 1) * 4).unwrap();
    for blob in &blobs {
        data.extend(offset.to_le_bytes());
        offset += u32::try_from(blob.len()).unwrap();
    }
    data.extend(offset.to_le_bytes());
    blobs.iter().for_each(|blob| data.extend(*blob));
    let cluster = match packing {
        Packing::None => [vec![1], data].concat(),
        Packing::Zstd => [vec![5], zstd::encode_all(&data[..], 1).unwrap()].concat(),
        Packing::Xz => [vec![4], xz(&data)].concat(),
    };
    let mut entries = Vec::new();
    let mut blob = 0u32;
    for item in items {
        let mut entry = Vec::new();
        entry.extend(item.content.as_ref().map_or(0xffff, |(kind, _)| *kind).to_le_bytes());
        entry.extend([0, item.namespace, 0, 0, 0, 0]);
        entry.extend(0u32.to_le_bytes());
        if item.content.is_some() {
            entry.extend(blob.to_le_bytes());
            blob += 1;
        }
        entry.extend(item.path.as_bytes());
        entry.push(0);
        entry.extend(item.title.as_bytes());
        entry.push(0);
        entries.push(entry);
    }
    let entries_at = 80 + kinds.len();
    let paths_at = entries_at + entries.iter().map(Vec::len).sum::<usize>();
    let clusters_at = paths_at + items.len() * 8;
    let cluster_at = clusters_at + 8;
    let checksum_at = cluster_at + cluster.len();
    let long = |value: usize| (value as u64).to_le_bytes();
    let mut out = 0x044D_495Au32.to_le_bytes().to_vec();
    out.extend([6, 0, 1, 0]);
    out.extend([7; 16]);
    out.extend(u32::try_from(items.len()).unwrap().to_le_bytes());
    out.extend(1u32.to_le_bytes());
    for place in [paths_at, paths_at, clusters_at, 80] {
        out.extend(long(place));
    }
    out.extend([0xff; 8]);
    out.extend(long(checksum_at));
    out.extend(kinds);
    let mut at = entries_at;
    let mut places = Vec::new();
    for entry in &entries {
        places.extend(long(at));
        at += entry.len();
        out.extend(entry);
    }
    out.extend(places);
    out.extend(long(cluster_at));
    out.extend(cluster);
    signed(out)
}

fn signed(mut bytes: Vec<u8>) -> Vec<u8> {
    let checksum = Md5::digest(&bytes);
    bytes.extend(checksum);
    bytes
}

fn items() -> Vec<Item> {
    vec![
        item(b'C', "Arden", "Arden", 0, b"<html><head><link rel=\"canonical\" href=\"https://en.wikipedia.org/wiki/Arden\"></head><body><h1>Arden</h1><p>Arden is a town.</p><h2>References</h2><a href=\"/w/index.php?oldid=77\">old</a></body></html>"),
        item(b'C', "Brill", "", 0, b"<p>Brill has 9,500 people.</p><table><tr><th>Mayor</th><td>Ida Roe</td></tr></table>"),
        item(b'C', "I/a.png", "", 1, b"\x89PNG"),
        Item { namespace: b'C', path: "Old_Arden", title: "", content: None },
        item(b'M', "Language", "", 2, b"eng"),
        item(b'M', "Name", "", 2, b"test_en_all"),
    ]
}

struct Run {
    documents: Vec<Document>,
    problems: Vec<ReadProblem>,
    summary: ReadSummary,
}

fn run(bytes: &[u8], options: &ReadOptions) -> Run {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("test.zim"), bytes).unwrap();
    let mut reading = read_paths(&[PathBuf::from(folder.path())], options);
    let (mut documents, mut problems) = (Vec::new(), Vec::new());
    for item in reading.by_ref() {
        match item {
            Ok(document) => documents.push(document),
            Err(problem) => problems.push(problem),
        }
    }
    Run { documents, problems, summary: reading.summary() }
}

#[test]
fn articles_are_read_from_clusters_of_every_kind() {
    for packing in [Packing::None, Packing::Zstd, Packing::Xz] {
        let found = run(&archive(&items(), packing), &ReadOptions::default());
        assert!(found.problems.is_empty(), "{:?}", found.problems);
        let ids: Vec<_> = found.documents.iter().map(|document| document.id.0.as_str()).collect();
        assert_eq!(ids, ["test_en_all:Arden", "test_en_all:Brill"]);
        let arden = &found.documents[0];
        assert!(arden.text.contains("Arden is a town."), "{}", arden.text);
        assert_eq!(arden.provenance.url.as_deref(), Some("https://en.wikipedia.org/wiki/Arden"));
        assert_eq!(arden.metadata["revision_id"], MetadataValue::Integer(77));
        assert_eq!(arden.metadata["lang"], MetadataValue::Text("eng".to_owned()));
        assert_eq!(found.documents[1].text, "Brill has 9,500 people.\n\nMayor: Ida Roe");
        let passed = found.summary.passed_over;
        assert_eq!((passed.redirects, passed.no_text), (1, 1));
    }
}

#[test]
fn a_flipped_byte_anywhere_is_told_and_nothing_is_read() {
    let sound = archive(&items(), Packing::Zstd);
    for at in (0..sound.len()).step_by(7) {
        let mut bytes = sound.clone();
        bytes[at] ^= 0x10;
        let found = run(&bytes, &ReadOptions::default());
        assert_eq!((found.documents.len(), found.problems.len()), (0, 1), "byte {at}: {:?}", found.problems);
        assert_eq!(found.problems[0].code(), "corpus_broken_archive", "byte {at}");
    }
}

#[test]
fn any_rubbish_under_a_right_checksum_ends_in_documents_or_problems() {
    // A fault that a checksum does not show: made by whoever wrote the archive.
    let sound = archive(&items(), Packing::Zstd);
    let body = &sound[..sound.len() - 16];
    for at in 24..body.len() {
        for value in [0, 1, 0x7f, 0xff] {
            let mut bytes = body.to_vec();
            if bytes[at] == value {
                continue;
            }
            bytes[at] = value;
            let found = run(&signed(bytes), &ReadOptions::default());
            assert!(found.documents.len() <= 6, "byte {at}");
            assert!(found.problems.len() <= 30, "byte {at}");
        }
    }
}

#[test]
fn a_cut_off_archive_is_told() {
    let sound = archive(&items(), Packing::Zstd);
    for length in [3, 40, 79, 100, sound.len() - 1] {
        let found = run(&sound[..length], &ReadOptions::default());
        assert_eq!((found.documents.len(), found.problems[0].code()), (0, "corpus_broken_archive"), "{length}");
    }
}

#[test]
fn a_cluster_that_grows_without_end_is_stopped() {
    // The list of blobs says that the second one starts after 4 GiB; 4 GiB of zeros are a few hundred KiB of zstd.
    let mut data: Vec<u8> = Vec::new();
    for offset in [12u32, u32::MAX - 8, u32::MAX] {
        data.extend(offset.to_le_bytes());
    }
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    std::io::copy(&mut &data[..], &mut encoder).unwrap();
    std::io::copy(&mut std::io::Read::take(std::io::repeat(0), 3 << 29), &mut encoder).unwrap();
    let cluster = [vec![5], encoder.finish().unwrap()].concat();
    let sound = archive(&items()[..2], Packing::None);
    let clusters_at = u64::from_le_bytes(sound[48..56].try_into().unwrap()) as usize;
    let mut bytes = sound[..clusters_at + 8].to_vec();
    bytes.extend(&cluster);
    let checksum_at = (bytes.len() as u64).to_le_bytes();
    bytes[72..80].copy_from_slice(&checksum_at);
    let found = run(&signed(bytes), &ReadOptions::default());
    let codes: Vec<_> = found.problems.iter().map(ReadProblem::code).collect();
    assert_eq!(found.documents.len(), 0);
    assert_eq!(codes, ["corpus_too_large", "corpus_decompression_bomb"]);
}
