import FoundationEssentials
import SystemPackage

// A missing key gets its default, so that configurations of older versions can be decoded.

extension FileSystemObserver.Configuration: Codable {
  private enum Key: String, CodingKey {
    case directory, selectedDirectories, unusableURL, excludedPatterns, includedPatterns, depth, includesHiddenItems,
      tagging
    case tagsFilesOfLowerLayers, tagName, backend, usesPrivilege, deletionDelay, quietPeriod, announcementDelay
    case modificationInterval, progressInterval, namePatterns, rootLossPolicy, warnsWithoutListeners
    case keepsFlightRecording, contentEvidence, contentEvidenceLimit, contentDelay
  }

  /// Decodes a configuration.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init(directory: try values.decodePath(forKey: .directory))
    selectedDirectories = (try values.decodeIfPresent([EncodedPath].self, forKey: .selectedDirectories) ?? []).map(
      \.path)
    try values.decode(into: &unusableURL, forKey: .unusableURL)
    try values.decode(into: &depth, forKey: .depth)
    try values.decode(into: &excludedPatterns, forKey: .excludedPatterns)
    try values.decode(into: &includedPatterns, forKey: .includedPatterns)
    try values.decode(into: &includesHiddenItems, forKey: .includesHiddenItems)
    try values.decode(into: &tagging, forKey: .tagging)
    try values.decode(into: &tagsFilesOfLowerLayers, forKey: .tagsFilesOfLowerLayers)
    try values.decode(into: &tagName, forKey: .tagName)
    try values.decode(into: &backend, forKey: .backend)
    try values.decode(into: &usesPrivilege, forKey: .usesPrivilege)
    try values.decode(into: &deletionDelay, forKey: .deletionDelay)
    try values.decode(into: &quietPeriod, forKey: .quietPeriod)
    try values.decode(into: &announcementDelay, forKey: .announcementDelay)
    try values.decode(into: &modificationInterval, forKey: .modificationInterval)
    try values.decode(into: &progressInterval, forKey: .progressInterval)
    try values.decode(into: &namePatterns, forKey: .namePatterns)
    try values.decode(into: &rootLossPolicy, forKey: .rootLossPolicy)
    try values.decode(into: &warnsWithoutListeners, forKey: .warnsWithoutListeners)
    try values.decode(into: &keepsFlightRecording, forKey: .keepsFlightRecording)
    try values.decode(into: &contentEvidence, forKey: .contentEvidence)
    try values.decode(into: &contentEvidenceLimit, forKey: .contentEvidenceLimit)
    try values.decode(into: &contentDelay, forKey: .contentDelay)
  }

  /// Encodes all settings.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(path: directory, forKey: .directory)
    if !selectedDirectories.isEmpty {
      try values.encode(selectedDirectories.map(EncodedPath.init), forKey: .selectedDirectories)
    }
    try values.encodeIfPresent(unusableURL, forKey: .unusableURL)
    try values.encodeIfPresent(depth, forKey: .depth)
    try values.encode(excludedPatterns, forKey: .excludedPatterns)
    try values.encode(includedPatterns, forKey: .includedPatterns)
    try values.encode(includesHiddenItems, forKey: .includesHiddenItems)
    try values.encode(tagging, forKey: .tagging)
    try values.encode(tagsFilesOfLowerLayers, forKey: .tagsFilesOfLowerLayers)
    try values.encode(tagName, forKey: .tagName)
    try values.encode(backend, forKey: .backend)
    try values.encode(usesPrivilege, forKey: .usesPrivilege)
    try values.encode(deletionDelay, forKey: .deletionDelay)
    try values.encode(quietPeriod, forKey: .quietPeriod)
    try values.encode(announcementDelay, forKey: .announcementDelay)
    try values.encode(modificationInterval, forKey: .modificationInterval)
    try values.encode(progressInterval, forKey: .progressInterval)
    try values.encode(namePatterns, forKey: .namePatterns)
    try values.encode(rootLossPolicy, forKey: .rootLossPolicy)
    try values.encode(warnsWithoutListeners, forKey: .warnsWithoutListeners)
    try values.encode(keepsFlightRecording, forKey: .keepsFlightRecording)
    try values.encode(contentEvidence, forKey: .contentEvidence)
    try values.encode(contentEvidenceLimit, forKey: .contentEvidenceLimit)
    try values.encode(contentDelay, forKey: .contentDelay)
  }
}

extension KeyedDecodingContainer {
  /// Replaces a value by the decoded one; keeps it if the key is missing.
  func decode<Value: Decodable>(into value: inout Value, forKey key: Key) throws {
    if let decoded = try decodeIfPresent(Value.self, forKey: key) { value = decoded }
  }
}
