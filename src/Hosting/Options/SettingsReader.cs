using System.Text.Json;
using Microsoft.Extensions.Configuration;

namespace RedisLatency.Hosting.Options;

/// <summary>Reads the layers between the defaults and the command line, the weakest first.</summary>
internal static class SettingsReader
{
    public static IReadOnlyList<SettingsLayer> Read(
        IReadOnlyList<SettingsFile> files,
        IReadOnlyDictionary<string, string> environment,
        ICollection<string> problems)
    {
        var layers = new List<SettingsLayer>();
        foreach (var file in files)
        {
            if (ReadFile(file, problems) is { } layer)
            {
                layers.Add(layer);
            }
        }

        layers.Add(ReadEnvironment(environment));
        return layers;
    }

    private static SettingsLayer? ReadFile(SettingsFile file, ICollection<string> problems)
    {
        try
        {
            using var stream = new MemoryStream(SmallFile.Read(file.Path));
            var configuration = new ConfigurationBuilder().AddJsonStream(stream).Build();
            return new(configuration.AsEnumerable()
                .Where(pair => pair.Value is not null)
                .Select(pair => KeyValuePair.Create(
                    pair.Key, new Setting(pair.Value!, OptionOrigin.File(file.Name, pair.Key)))));
        }
        catch (Exception failure) when (failure is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }
        catch (Exception failure) when (failure is FormatException or JsonException or InvalidDataException)
        {
            problems.Add($"{file.Name}: not valid JSON: {failure.GetBaseException().Message}");
            return null;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            problems.Add($"{file.Name}: cannot be read: {failure.Message}");
            return null;
        }
    }

    private static SettingsLayer ReadEnvironment(IReadOnlyDictionary<string, string> environment) =>
        new(environment
            .Where(pair => pair.Key.StartsWith(OptionDescription.EnvironmentPrefix, StringComparison.OrdinalIgnoreCase))
            .OrderBy(pair => pair.Key, StringComparer.Ordinal)
            .Select(pair => KeyValuePair.Create(
                pair.Key[OptionDescription.EnvironmentPrefix.Length..].Replace("__", ":", StringComparison.Ordinal),
                new Setting(pair.Value, OptionOrigin.Environment(pair.Key))))
            .DistinctBy(pair => pair.Key, StringComparer.OrdinalIgnoreCase));
}
