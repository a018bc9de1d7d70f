using System.Buffers;
using System.Globalization;

namespace RedisLatency.Metrics.Results;

/// <summary>
/// What one process leaves behind: a folder of its own, <c>yyyyMMdd-HHmmss-run-instance</c>, that only its owner may
/// enter. Where the name is taken, -2, -3, … follows it.
/// </summary>
/// <remarks>
/// Files are written beside their final name (<c>run.json.partial</c>), brought to the disk and then renamed, so a
/// file under its own name is whole. The interval log grows under its partial name for as long as the run lasts, and
/// keeps it if the process is killed: readers take either, see <see cref="Find"/>.
/// </remarks>
public sealed class ResultsFolder
{
    /// <summary>The run record.</summary>
    public const string RunRecordName = "run.json";

    /// <summary>The interval log of the histograms.</summary>
    public const string IntervalLogName = "latency.hlog";

    /// <summary>An interval log of what a short run is about, in parts of less than a second.</summary>
    public const string BlockLogName = "blocks.hlog";

    private const string TimeForm = "yyyyMMdd-HHmmss";
    private const int LongestNamePart = 64;
    private const int MostOfOneName = 10_000;

    private static readonly SearchValues<char> PlainCharacters =
        SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-");

    private ResultsFolder(string path) => Path = path;

    public string Path { get; }

    /// <summary>Makes a folder that no other process has.</summary>
    /// <param name="root">The folder of all results; made where it is missing.</param>
    /// <param name="startUtc">When the run started.</param>
    /// <param name="run">The run's name, of which other characters than letters, digits, . _ - become _.</param>
    /// <param name="instance">The process's name, likewise.</param>
    /// <exception cref="ResultsWriteException">It cannot be made there.</exception>
    public static ResultsFolder Create(string root, DateTimeOffset startUtc, string run, string instance)
    {
        var name = startUtc.ToUniversalTime().ToString(TimeForm, CultureInfo.InvariantCulture)
            + NameOf(run, instance);
        var path = root;
        try
        {
            path = System.IO.Path.Combine(System.IO.Path.GetFullPath(root), name);
            Directory.CreateDirectory(root);
            for (var number = 1; number <= MostOfOneName; number++)
            {
                var candidate = number == 1 ? path : string.Create(CultureInfo.InvariantCulture, $"{path}-{number}");
                if (ExclusiveFolder.TryCreate(candidate))
                    return new ResultsFolder(candidate);
            }

            throw new IOException($"{MostOfOneName} folders of that name exist");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new ResultsWriteException(path, exception);
        }
    }

    /// <summary>The file of that name in a folder of results, else what there is of it, else null.</summary>
    public static string? Find(string folder, string name)
    {
        var path = System.IO.Path.Combine(folder, name);
        if (File.Exists(path))
            return path;
        path += ResultsFileStream.PartialSuffix;
        return File.Exists(path) ? path : null;
    }

    /// <summary>
    /// The folders whose names say that they are of a run and instance and were begun before a time; what is in them
    /// may say otherwise.
    /// </summary>
    /// <exception cref="IOException">The folder of all results cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">Likewise.</exception>
    public static IEnumerable<string> Named(string root, string run, string instance, DateTimeOffset beforeUtc)
    {
        var before = beforeUtc.ToUniversalTime().ToString(TimeForm, CultureInfo.InvariantCulture);
        var (mark, length) = (NameOf(run, instance), TimeForm.Length);
        return
        [
            .. Directory.EnumerateDirectories(root)
                .Where(path => System.IO.Path.GetFileName(path) is var name && name.Length > length
                    && string.CompareOrdinal(name[..length], before) <= 0
                    && (name[length..] == mark || name[length..].StartsWith($"{mark}-", StringComparison.Ordinal)))
                .Order(StringComparer.Ordinal),
        ];
    }

    /// <summary>Starts a file; it has its name once it is complete.</summary>
    /// <exception cref="ArgumentException">The name is not that of a file in this folder.</exception>
    /// <exception cref="ResultsWriteException">It cannot be made.</exception>
    public ResultsFileStream CreateFile(string name)
    {
        if (name.Length == 0 || name.StartsWith('.') || name.AsSpan().ContainsAnyExcept(PlainCharacters))
            throw new ArgumentException($"'{name}' is not the name of a file of results.", nameof(name));
        return ResultsFileStream.Create(System.IO.Path.Combine(Path, name));
    }

    /// <summary>Writes a whole file.</summary>
    /// <exception cref="ResultsWriteException">It cannot be written; a file that had the name before stays.</exception>
    public void WriteFile(string name, ReadOnlySpan<byte> content)
    {
        using var file = CreateFile(name);
        file.Write(content);
        file.Complete();
    }

    private static string NameOf(string run, string instance) =>
        $"-{Sanitise(run, "run")}-{Sanitise(instance, "instance")}";

    private static string Sanitise(string name, string otherwise)
    {
        var characters = name.AsSpan(0, Math.Min(name.Length, LongestNamePart)).ToArray();
        for (var i = 0; i < characters.Length; i++)
        {
            if (!PlainCharacters.Contains(characters[i]))
                characters[i] = '_';
        }

        var plain = new string(characters).Trim('.');
        return plain.Length == 0 ? otherwise : plain;
    }
}
