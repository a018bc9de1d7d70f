namespace RedisLatency.Fixtures;

/// <summary>Where the checkout lies, found from the test assembly upwards.</summary>
public static class RepositoryRoot
{
    public static string Path { get; } = Find();

    /// <summary>A file or folder of the checkout.</summary>
    public static string Combine(params string[] parts) => System.IO.Path.Combine([Path, .. parts]);

    /// <summary>A file or folder of the shared reference beside the checkout, or null where it is missing.</summary>
    public static string? Shared(params string[] parts)
    {
        var path = System.IO.Path.GetFullPath(System.IO.Path.Combine([Path, "..", "shared", .. parts]));
        return File.Exists(path) || Directory.Exists(path) ? path : null;
    }

    private static string Find()
    {
        for (var folder = new DirectoryInfo(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(System.IO.Path.Combine(folder.FullName, "RedisLatency.sln")))
                return folder.FullName;
        }

        throw new InvalidOperationException($"No RedisLatency.sln above {AppContext.BaseDirectory}.");
    }
}
