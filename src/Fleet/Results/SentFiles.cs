namespace RedisLatency.Fleet.Results;

/// <summary>What a member has sent; all of it is there.</summary>
internal sealed record SentFiles(string Instance, IReadOnlyList<SentFile> Files);

/// <summary>A file in compressed blocks.</summary>
/// <param name="Name">Its name in the results folder.</param>
/// <param name="Blocks">How many blocks.</param>
/// <param name="Sha256">Of the file, in hexadecimal digits.</param>
internal sealed record SentFile(string Name, int Blocks, string Sha256);
