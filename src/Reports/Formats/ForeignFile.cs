using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.Unicode;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Results;
using RedisLatency.Reports.SavedRuns;
using RedisLatency.Reports.Values;

namespace RedisLatency.Reports.Formats;

/// <summary>A file that another tool wrote; its first lines say which tool it was.</summary>
internal sealed class ForeignFile
{
    // Interval logs are read line by line, and may be larger.
    private const int LargestFile = 64 << 20;
    private const int BeginningLength = 4_096;

    private ForeignFile(string path, string beginning) => (Path, Beginning) = (path, beginning);

    public string Path { get; }

    public string Name => System.IO.Path.GetFileName(Path);

    /// <summary>What it begins with.</summary>
    public string Beginning { get; }

    /// <summary>Reads it.</summary>
    /// <exception cref="ImportException">It cannot be read, is of no known tool, or is damaged.</exception>
    public static ImportedMeasurement Read(string path, ImportQuestions questions)
    {
        try
        {
            return Read(new ForeignFile(path, BeginningOf(path)), questions);
        }
        catch (ImportException failure)
        {
            throw new ImportException($"{path}: {failure.Message}", failure);
        }
        catch (JsonException failure)
        {
            throw new ImportException($"{path}: {JsonErrors.Of(failure, " {"u8)}", failure);
        }
        catch (SavedRunException failure)
        {
            // It begins with the path.
            throw new ImportException(failure.Message, failure);
        }
        catch (OverflowException failure)
        {
            throw new ImportException($"{path}: more values than can be counted", failure);
        }
        catch (Exception failure) when (failure is HistogramFormatException or IOException
            or UnauthorizedAccessException)
        {
            throw new ImportException($"{path}: {failure.Message}", failure);
        }
    }

    /// <summary>All of it as text.</summary>
    public string ReadText()
    {
        var bytes = LimitedFile.ReadAll(Path, LargestFile);
        return Utf8.IsValid(bytes) ? Encoding.UTF8.GetString(bytes) : throw new ImportException("no text in UTF-8");
    }

    /// <exception cref="ImportException">It cannot be read.</exception>
    public static string Sha256Of(string path)
    {
        try
        {
            using var stream = LimitedFile.OpenRead(path, long.MaxValue);
            return Convert.ToHexStringLower(SHA256.HashData(stream));
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new ImportException($"{path}: {failure.Message}", failure);
        }
    }

    private static string BeginningOf(string path)
    {
        if (Directory.Exists(path))
        {
            throw new ImportException(
                "it is a folder: name the file in it; a results folder is no import, report show and compare read it");
        }

        using var stream = LimitedFile.OpenRead(path, long.MaxValue);
        var bytes = new byte[BeginningLength];
        return Encoding.UTF8.GetString(bytes, 0, stream.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false));
    }

    private static ImportedMeasurement Read(ForeignFile file, ImportQuestions questions)
    {
        if (HdrLog.IsIn(file))
            return HdrLog.Read(file, questions);
        if (PercentileText.IsIn(file))
            return PercentileText.Read(file, questions);
        var text = file.ReadText();
        if (YcsbResults.IsIn(text))
            return YcsbResults.Read(file, text);
        if (RedisBenchmarkCsv.IsIn(text))
            return RedisBenchmarkCsv.Read(file, text);
        if (text.AsSpan().TrimStart() is ['{', ..])
        {
            using var document = JsonDocument.Parse(text);
            return MemtierJson.IsIn(document.RootElement) ? MemtierJson.Read(file, document.RootElement)
                : RedisShakeStatus.IsIn(document.RootElement) ? RedisShakeStatus.Read(file, document.RootElement)
                : throw Unknown();
        }

        return RedisBenchmarkText.IsIn(text) ? RedisBenchmarkText.Read(file, text) : throw Unknown();
    }

    private static ImportException Unknown() => new(
        "not a result that is known here: memtier's JSON, redis-benchmark's text or CSV, YCSB's text or JSON, "
        + "RedisShake's status, an interval log or a percentile distribution of HdrHistogram");
}
