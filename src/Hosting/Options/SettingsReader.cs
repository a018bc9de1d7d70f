using System.Text;
using System.Text.Json;
using Microsoft.Extensions.Configuration;
using RedisLatency.Reports.Values;

namespace RedisLatency.Hosting.Options;

/// <summary>Reads the layers between the defaults and the command line, the weakest first.</summary>
internal static class SettingsReader
{
    /// <summary>The option that <c>REDIS_URL</c> gives a value to, where a command has it.</summary>
    public const string UrlKey = "Redis:Endpoint";

    public const string UrlVariable = "REDIS_URL";

    public static IReadOnlyList<SettingsLayer> Read(
        IReadOnlyList<SettingsFile> files,
        IReadOnlyDictionary<string, string> environment,
        IReadOnlyList<ForeignSettings> foreign,
        ICollection<string> problems)
    {
        // What everything else overrides: other programs and platforms set it, too.
        var layers = new List<SettingsLayer>
        {
            new(environment.Where(pair => pair.Key == UrlVariable).Select(pair => KeyValuePair.Create(
                UrlKey, new Setting(pair.Value, OptionOrigin.Environment(pair.Key))))),
        };
        foreach (var file in files)
        {
            var form = foreign.FirstOrDefault(one => file.Name.EndsWith(one.Suffix, StringComparison.Ordinal));
            if (ReadFile(file, form, environment, problems) is { } layer)
                layers.Add(layer);
        }

        layers.Add(ReadEnvironment(environment));
        return layers;
    }

    private static SettingsLayer? ReadFile(
        SettingsFile file,
        ForeignSettings? form,
        IReadOnlyDictionary<string, string> environment,
        ICollection<string> problems)
    {
        byte[] content = [];
        try
        {
            if (form is not null)
                return ReadForeign(file, form, environment, problems);
            content = SmallFile.Read(file.Path);
            using var stream = new MemoryStream(content);
            var configuration = new ConfigurationBuilder().AddJsonStream(stream).Build();
            return new SettingsLayer(configuration.AsEnumerable()
                .Where(pair => pair.Value is not null)
                .Select(pair => KeyValuePair.Create(
                    pair.Key, new Setting(pair.Value!, OptionOrigin.File(file.Name, pair.Key)))))
            {
                File = file.Name,
            };
        }
        catch (Exception failure) when (failure is FileNotFoundException or DirectoryNotFoundException)
        {
            problems.Add($"{SettingsFile.Option} {file.Name}: there is no such file");
            return null;
        }
        catch (Exception failure) when (failure is FormatException or JsonException or InvalidDataException)
        {
            problems.Add(failure.GetBaseException() is JsonException broken
                ? $"{file.Name}: {JsonErrors.Of(broken, content)}"
                : $"{file.Name}: not valid JSON: {failure.GetBaseException().Message}");
            return null;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            problems.Add($"{file.Name}: cannot be read: {failure.Message}");
            return null;
        }
    }

    private static SettingsLayer? ReadForeign(
        SettingsFile file,
        ForeignSettings form,
        IReadOnlyDictionary<string, string> environment,
        ICollection<string> problems)
    {
        var content = form.Read(Encoding.UTF8.GetString(SmallFile.Read(file.Path)), environment);
        foreach (var problem in content.Problems)
            problems.Add($"{file.Name} {problem}");
        if (content.Problems.Count > 0)
            return null;
        return new SettingsLayer(content.Settings.Select(setting => KeyValuePair.Create(
            setting.Key,
            new Setting(setting.Text, OptionOrigin.File(file.Name, $"line {setting.Line}: {setting.Name}")))))
        {
            File = file.Name,
            Notes = [.. content.Notes.Select(note => $"{file.Name} {note}")],
        };
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
