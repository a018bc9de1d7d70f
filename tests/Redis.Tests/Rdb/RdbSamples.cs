using RedisLatency.Fixtures;

namespace RedisLatency.Redis.Tests.Rdb;

/// <summary>Files that others wrote, with what is in them; they are no part of the project.</summary>
internal static class RdbSamples
{
    private static readonly string? Folder = RepositoryRoot.Shared("rdb-samples");

    public static string[] Names { get; } = Folder is null
        ? ["none"]
        : [.. Directory.GetFiles(Folder, "*.rdb").Select(file => Path.GetFileNameWithoutExtension(file)).Order()];

    public static byte[] Bytes(string name)
    {
        Assert.SkipWhen(Folder is null, "There is no ../shared/rdb-samples beside the project.");
        return File.ReadAllBytes(Of(name, ".rdb"));
    }

    public static string? Json(string name) =>
        File.Exists(Of(name, ".json")) ? File.ReadAllText(Of(name, ".json")) : null;

    private static string Of(string name, string extension) => Path.Combine(Folder!, name + extension);
}
